import { lineStartAt, type TextChange, type TextRange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";

const blockHead = /^( *)(?:- +)?[\w-]+: +\|(?=[-+]?[ \t]*(?:#.*)?$)/gm;

/**
 * Mends blocks whose first line begins with a space of its own because others deleted the letters before it, or added an empty
 * line of spaces: such a block must state its indentation. Everyone who mends one makes the same change.
 */
export function repairBlocks({ text, unreadableRanges }: SourceDocument): TextChange[] {
  return unreadableRanges.flatMap(({ range }) => repairRange(text, range));
}

function repairRange(text: string, { from: start, to: end }: TextRange): TextChange[] {
  const lineStart = lineStartAt(text, start);
  return [...text.slice(lineStart, end).matchAll(blockHead)].flatMap((head) => {
    const sign = lineStart + head.index + head[0].length;
    const column = /[\w]/.exec(head[0])?.index ?? 0;
    const { spaces, indentations } = readRows(text, sign, column);
    const [first = 0, ...others] = indentations;
    const least = Math.min(first, ...others);
    return Math.max(first, spaces) > least ? [{ from: sign, to: sign, insert: String(least - column) }] : [];
  });
}

interface BlockRows {
  /** The most spaces in an empty line before the first one that is not. */
  spaces: number;
  /** Of the lines that are not empty. */
  indentations: readonly number[];
}

function readRows(text: string, sign: number, column: number): BlockRows {
  const rows = text.slice(sign).split("\n").slice(1);
  const isFilled = (row: string): boolean => row.trim() !== "";
  const empty = rows.slice(0, rows.findIndex(isFilled));
  const all = rows.filter(isFilled).map((row) => row.length - row.trimStart().length);
  const end = all.findIndex((indentation) => indentation <= column);
  const indentations = end < 0 ? all : all.slice(0, end);
  const widest = empty.reduce((most, row) => Math.max(most, row.replace("\r", "").length), 0);
  return { spaces: indentations.length > 0 ? widest : 0, indentations };
}
