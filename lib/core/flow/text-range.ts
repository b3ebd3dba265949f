/** Half-open range `[from, to)` of UTF-16 offsets into a text, as CodeMirror counts them. */
export interface TextRange {
  from: number;
  to: number;
}

/** One replacement in a text: the range `[from, to)` becomes `insert`. */
export interface TextChange extends TextRange {
  insert: string;
}

/** A range further on in a text, with its other fields. */
export const moveRange = <T extends TextRange>(range: T, distance: number): T => ({
  ...range,
  from: range.from + distance,
  to: range.to + distance,
});

/** Where a range, with its other fields, is in the text without ranges that do not overlap it. */
export const moveByRemoved = <T extends TextRange>(range: T, removed: readonly TextRange[]): T =>
  moveRange(
    range,
    -removed.reduce((sum, { from: start, to: end }) => (end <= range.from ? sum + end - start : sum), 0),
  );

/** The parts of ranges that are in none of the others. All are sorted, and do not overlap. */
export function withoutRanges(ranges: readonly TextRange[], others: readonly TextRange[]): TextRange[] {
  const rest: TextRange[] = [];
  let index = 0;
  for (const { from: start, to: end } of ranges) {
    let offset = start;
    for (let other = others[index]; other && other.from < end; other = others[++index]) {
      if (other.from > offset) rest.push({ from: offset, to: other.from });
      offset = Math.max(offset, Math.min(other.to, end));
      // It may be in the next range, too.
      if (other.to > end) break;
    }
    if (offset < end) rest.push({ from: offset, to: end });
  }
  return rest;
}

/** Whether an offset is between the halves of a surrogate pair: what changes there breaks the character. */
export const splitsPair = (text: string, offset: number): boolean =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, offset - 1), offset + 1));

/** The offset of the first character of the line that an offset is in. */
export const lineStartAt = (text: string, offset: number): number =>
  // A search from before the first character finds the first one.
  offset <= 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;

/** The lines of a text, each with its line break. */
export const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** A position for display: both 1-based, `column` in UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

/** At most 60 characters of a text that is quoted in a sentence. */
export const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

/** The line end that a text has, e.g. for what is inserted into it. */
export const eolOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");
