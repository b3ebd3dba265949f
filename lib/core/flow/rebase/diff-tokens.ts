import { moveRange, type TextChange } from "../text-range";
import { diffLetters } from "./diff-letters";

/** Words, white space, signs, and what `\` escapes with it: half of an escape is none. */
const splitTokens = (text: string): string[] =>
  text.match(/\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|\S)|[\p{L}\p{N}_]+|[^\S\n]+|\S|\n/gu) ?? [];

/** The changes between two texts in which words stay as a whole. */
export const diffTokens = (before: string, after: string): TextChange[] =>
  diffBySigns(splitTokens(before), splitTokens(after));

/** Changes of a text: of what is written anew only the words that are other ones. */
export const toWordChanges = (before: string, changes: readonly TextChange[]): TextChange[] =>
  changes.flatMap((change) => {
    const { from: start, to: end, insert } = change;
    if (start === end || insert === "") return [change];
    return diffTokens(before.slice(start, end), insert).map((part) => moveRange(part, start));
  });

/** Characters from here on stand for parts of a text; there are no more of them before the surrogates. */
const [firstSign, maxSigns] = [0x100, 0xd700];

/** The changes between two texts that are given in parts, in which parts stay as a whole. */
export function diffBySigns(before: readonly string[], after: readonly string[]): TextChange[] {
  const signs = new Map<string, string>();
  for (const part of [...before, ...after])
    if (!signs.has(part)) signs.set(part, String.fromCharCode(firstSign + signs.size));
  if (signs.size > maxSigns) return diffLetters(before.join(""), after.join(""));
  const toSigns = (parts: readonly string[]): string => parts.map((part) => signs.get(part) ?? "").join("");
  const partsBySign = new Map(Array.from(signs, ([part, sign]) => [sign, part]));
  const offsets = [0];
  for (const part of before) offsets.push((offsets.at(-1) ?? 0) + part.length);
  return diffLetters(toSigns(before), toSigns(after)).map(({ from: start, to: end, insert }) => ({
    from: offsets[start] ?? 0,
    to: offsets[end] ?? 0,
    insert: Array.from(insert, (sign) => partsBySign.get(sign) ?? "").join(""),
  }));
}
