import type { TextRange } from "../../flow/text-range";

/** The lines of a literal block as they are typed: also the empty ones at the end, which YAML may leave out. */
export interface LiteralLines {
  /** Of the `|`. */
  start: number;
  hasDigit: boolean;
  /** Spaces before each line. */
  margin: number;
  /** The range of each line without its margin and line break; `from` is before the margin where the line is shorter than that. */
  lines: readonly TextRange[];
}

const header = /^\|([-+]?)(\d?)([-+]?)(?:[ \t]+#[^\n]*)?\r?(?:\n|$)/;

/** Null: this is no literal block, or its lines are indented otherwise than its first one. */
export function readLiteral(text: string, start: number, column: number): LiteralLines | null {
  const [head, , digit = ""] = header.exec(text.slice(start)) ?? [];
  if (head === undefined) return null;
  const rows = readRows(text, start + head.length, column);
  const first = rows.find((row) => /\S/.test(text.slice(row.from, row.to)));
  const margin = digit === "" ? marginOf(text, first, column) : column + Number(digit);
  if (margin <= column) return null;
  const isWhole = ({ from: rowStart, to }: TextRange): boolean =>
    to - rowStart >= margin && /^ *$/.test(text.slice(rowStart, rowStart + margin));
  const end = rows.findIndex((row) => !isWhole(row) && /\S/.test(text.slice(row.from, row.to)));
  const own = end < 0 ? rows : rows.slice(0, end);
  const lines = own.slice(0, own.findLastIndex(isWhole) + 1);
  return {
    start,
    hasDigit: digit !== "",
    margin,
    lines: lines.map((row) => (isWhole(row) ? { ...row, from: row.from + margin } : row)),
  };
}

const marginOf = (text: string, first: TextRange | undefined, column: number): number => {
  const width = first ? /^ */.exec(text.slice(first.from, first.to))?.[0].length : undefined;
  // Without any letter the block is one that `prepareEdit` has begun.
  return width !== undefined && width > column ? width : column + 2;
};

/** Up to the first line that is indented no more than the key. */
function readRows(text: string, start: number, column: number): TextRange[] {
  const rows: TextRange[] = [];
  for (let offset = start; offset < text.length; ) {
    const lineBreak = text.indexOf("\n", offset);
    const next = lineBreak < 0 ? text.length : lineBreak;
    const end = text[next - 1] === "\r" && next > offset ? next - 1 : next;
    const [indentation = ""] = /^ */.exec(text.slice(offset, end)) ?? [];
    if (indentation.length <= column && indentation.length < end - offset) break;
    rows.push({ from: offset, to: end });
    offset = next + 1;
  }
  return rows;
}

export const textOfLiteral = (text: string, { lines }: LiteralLines): string =>
  lines.map((line) => text.slice(line.from, line.to)).join("\n");
