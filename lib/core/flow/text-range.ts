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

/** A position for display: both 1-based, `column` in UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

/** At most 60 characters of a text that is quoted in a sentence. */
export const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
