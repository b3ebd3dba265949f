import type { Scalar } from "yaml";
import type { Problem } from "../../flow/problem";
import type { TextChange, TextRange } from "../../flow/text-range";

/** Carries places inside a scalar's value over to places in the file. */
export interface ScalarOffsets {
  /** The place in the file of a range of the value. */
  toRange(range: TextRange): TextRange;
  /** The change in the file that changes the value so, written as the quotes round it want it. In a plain scalar what is put in may mean something else to YAML. */
  toChange(change: TextChange): TextChange;
}

/** Null: the value cannot be followed through folds; callers use the whole scalar. */
export function scalarOffsets(text: string, node: Scalar): ScalarOffsets | null {
  if (typeof node.value !== "string" || !node.range) return null;
  const ranges = align(text, node.value, node.range, node.type ?? "PLAIN");
  if (!ranges) return null;
  const rangeAt = (index: number): TextRange => ranges[Math.min(index, ranges.length - 1)] ?? { from: 0, to: 0 };
  const toRange = ({ from: valueStart, to: valueEnd }: TextRange): TextRange => {
    const start = rangeAt(valueStart).from;
    return { from: start, to: valueEnd > valueStart ? rangeAt(valueEnd - 1).to : start };
  };
  const toChange = ({ insert, ...range }: TextChange): TextChange => {
    const isInsertion = range.from > 0 && range.from === range.to;
    const insertAt = rangeAt(range.from - 1).to;
    return { ...(isInsertion ? { from: insertAt, to: insertAt } : toRange(range)), insert: quote(insert, node.type) };
  };
  return { toRange, toChange };
}

/** A piece of a value as it is written between the quotes of its scalar. */
function quote(text: string, type: Scalar["type"]): string {
  if (type === "QUOTE_DOUBLE") return JSON.stringify(text).slice(1, -1);
  return type === "QUOTE_SINGLE" ? text.replaceAll("'", "''") : text;
}

/** For each index of `value` (and one past its end) its place in `text`. */
function align(text: string, value: string, range: [number, number, number], type: string): TextRange[] | null {
  const quoted = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE";
  const block = type === "BLOCK_LITERAL" || type === "BLOCK_FOLDED";
  const end = range[1];
  let position = range[0] + (quoted ? 1 : 0);
  if (block) position = text.indexOf("\n", range[0]) + 1;
  const ranges: TextRange[] = [];
  for (let index = 0; index < value.length; index++) {
    const char = value[index] ?? "";
    if (type === "QUOTE_DOUBLE") position = skipEscapedBreaks(text, position);
    while (
      position < end &&
      text[position] !== char &&
      /\s/.test(text[position] ?? "") &&
      !(/[ \n]/.test(char) && text[position] === "\n")
    )
      position++;
    const escaped = readEscape(text, position, type);
    if (escaped) {
      if (!value.startsWith(escaped.means, index)) return null;
      const escapeRange = { from: position, to: position + escaped.length };
      for (const _ of escaped.means.split("")) ranges.push(escapeRange);
      index += escaped.means.length - 1;
      position = escapeRange.to;
      continue;
    }
    const same = text[position] === char || (char === " " && text[position] === "\n");
    // The last line break of a block scalar may be missing in the file.
    if (!same && !(block && char === "\n" && position >= end)) return null;
    ranges.push({ from: Math.min(position, end), to: Math.min(position, end) + 1 });
    position++;
  }
  const after = ranges.at(-1)?.to ?? position;
  ranges.push({ from: after, to: after + 1 });
  return ranges;
}

/** A line break after `\` is not part of the value. */
function skipEscapedBreaks(text: string, start: number): number {
  const breaks = /(?:\\\r?\n[ \t]*)*/y;
  breaks.lastIndex = start;
  return start + (breaks.exec(text)?.[0].length ?? 0);
}

/** The letters after a `\`, and the character that each of them writes; every other one writes itself. */
const escapeLetters = "0abtnvfreN_LP";
const escapedCharacters = "\0\x07\b\t\n\v\f\r\x1b\x85\xa0\u2028\u2029";

/** The escape sequence at `position` of a quoted scalar; null: there is none. */
function readEscape(text: string, position: number, type: string): { means: string; length: number } | null {
  if (type === "QUOTE_SINGLE") return text.startsWith("''", position) ? { means: "'", length: 2 } : null;
  if (type !== "QUOTE_DOUBLE" || text[position] !== "\\") return null;
  const sign = text[position + 1] ?? "";
  const digits = { x: 2, u: 4, U: 8 }[sign] ?? 0;
  if (digits === 0) return { means: escapedCharacters[escapeLetters.indexOf(sign)] ?? sign, length: 2 };
  const code = Number.parseInt(text.slice(position + 2, position + 2 + digits), 16);
  return code <= 0x10ffff ? { means: String.fromCodePoint(code), length: 2 + digits } : null;
}

/** Moves problems of a value to the file; fixes that cannot be carried over are left out. */
export function moveProblems(
  problems: readonly Problem[],
  offsets: ScalarOffsets | null,
  valueRange: TextRange,
): Problem[] {
  return problems.map(({ fix, range, ...problem }) => ({
    ...problem,
    range: offsets && range ? offsets.toRange(range) : valueRange,
    ...(fix && offsets ? { fix: { ...fix, changes: fix.changes.map((change) => offsets.toChange(change)) } } : {}),
  }));
}
