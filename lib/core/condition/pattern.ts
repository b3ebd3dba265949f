import { RE2JS, RE2JSException } from "re2js";
import type { CheckPattern } from "../flow/problem";
import { clip, type TextRange } from "../flow/text-range";
import { conditionLimits } from "./condition";

export type CompiledPattern =
  | {
      ok: true;
      /** In instructions. */
      size: number;
      isFoundIn: (text: string) => boolean;
      /** The ranges of its matches, in order; empty matches are left out. */
      placesIn: (text: string) => TextRange[];
    }
  | { ok: false; message: string };

/**
 * Reads a pattern in RE2's syntax. Matching takes at most time in proportion to the pattern's size and the text's length,
 * whatever the pattern; what cannot keep that promise, back references and lookaround, is refused. Never throws.
 */
export function compilePattern(pattern: string): CompiledPattern {
  if (pattern.length > conditionLimits.patternLength)
    return refused(pattern, `it has ${pattern.length} characters, at most ${conditionLimits.patternLength} are read`);
  if (largestSize(pattern) > 10 * conditionLimits.patternSize) return tooLarge(pattern);
  try {
    const compiled = RE2JS.compile(pattern);
    const size = compiled.programSize();
    if (size > conditionLimits.patternSize) return tooLarge(pattern);
    return { ok: true, size, isFoundIn: (text) => compiled.test(text), placesIn: (text) => findPlaces(compiled, text) };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace(/^error parsing regexp: /, "");
    const unbounded = /`(?:\\[1-9]|\(\?(?:=|!|<=|<!))/.test(reason);
    return refused(pattern, unbounded ? `${reason}; back references and lookaround are not read` : reason);
  }
}

/** What is wrong with a pattern, if anything is. Never throws. */
export const findPatternMistake: CheckPattern = (pattern) => {
  const compiled = compilePattern(pattern);
  return compiled.ok ? null : compiled.message;
};

function findPlaces(compiled: RE2JS, text: string): TextRange[] {
  const matcher = compiled.matcher(text);
  const places: TextRange[] = [];
  while (matcher.find()) if (matcher.end() > matcher.start()) places.push({ from: matcher.start(), to: matcher.end() });
  return places;
}

const refused = (pattern: string, reason: string): CompiledPattern => ({
  ok: false,
  message: `Expected a pattern that can be read, found "${clip(pattern)}": ${reason}.`,
});

const tooLarge = (pattern: string): CompiledPattern => refused(pattern, "its {…} repeat too much");

/** No pattern has more instructions, by and large: a repeated group may hold everything else. Large ones take long to compile. */
function largestSize(pattern: string): number {
  let sum = pattern.length;
  let factor = 1;
  for (const [, group, least, most] of pattern.matchAll(/(\)?)\{(\d+)(?:,(\d*))?\}/g)) {
    const times = Math.max(1, Number(least), Number(most ?? 0));
    if (group) factor *= times;
    else sum += times;
  }
  return sum * factor;
}
