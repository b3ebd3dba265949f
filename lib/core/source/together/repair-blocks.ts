import { lineStartAt, type TextChange, type TextRange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import type { JoinRules } from "./join-sections";

/** The key of a literal block, the indentation that it states, and the rest of its line. */
const blockHead = /^( *(?:- +)?[\w-]+: +\|(?:[-+](?=[1-9]))?)([1-9]?)[-+]?[ \t]*(?:#.*)?\r?$/gm;

interface BlockHead {
  /** The indentation of its key. */
  column: number;
  /** Of the indentation that it states, relative to its key; empty where it states none. */
  digit: TextRange;
  /** Where its lines begin. */
  bodyStart: number;
}

/**
 * Mends blocks whose first line begins with a space of its own because others deleted the letters before it, or added an empty
 * line of spaces, or whose lines others moved: such a block must state its indentation. Also mends lines of a block whose margin
 * is elsewhere, because others wrote between a line break and the margin after it. Everyone who mends one makes the same change.
 */
export function repairBlocks(
  { text, unreadableRanges }: SourceDocument,
  { isApart }: Pick<JoinRules, "isApart">,
): TextChange[] {
  return unreadableRanges.flatMap(({ range }) => {
    const changes = stateIndentations(text, range);
    return changes.length > 0 ? changes : restoreMargins(text, range, isApart);
  });
}

function listHeads(text: string, { from: start, to: end }: TextRange): BlockHead[] {
  return [...text.slice(start, end).matchAll(blockHead)].map(({ 0: line, 1: key = "", 2: digit = "", index }) => {
    const digitStart = start + index + key.length;
    return {
      column: /\w/.exec(key)?.index ?? 0,
      digit: { from: digitStart, to: digitStart + digit.length },
      bodyStart: start + index + line.length + 1,
    };
  });
}

function stateIndentations(text: string, { from: start, to: end }: TextRange): TextChange[] {
  return listHeads(text, { from: lineStartAt(text, start), to: end }).flatMap(({ column, digit, bodyStart }) => {
    const { spaces, indentations } = readRows(text, bodyStart, column);
    const [first = 0, ...others] = indentations;
    const least = Math.min(first, ...others);
    const stated = readDigit(text, digit);
    const isWrong = stated > 0 ? column + stated > least : Math.max(first, spaces) > least;
    return isWrong && least > column ? [{ ...digit, insert: String(least - column) }] : [];
  });
}

/** What is unreadable right after the lines of a block may be lines of it. */
function restoreMargins(
  text: string,
  { from: start, to: end }: TextRange,
  isApart: JoinRules["isApart"],
): TextChange[] {
  const lineStart = lineStartAt(text, start);
  const head = listHeads(text, { from: 0, to: lineStart }).at(-1);
  if (!head) return [];
  const { column, digit, bodyStart } = head;
  const isOutside = (row: string): boolean => isFilled(row) && indentationOf(row) <= column;
  if (text.slice(bodyStart, lineStart).split("\n").some(isOutside)) return [];
  const inside = text
    .slice(bodyStart, end)
    .split("\n")
    .filter((row) => isFilled(row) && !isOutside(row));
  const least = inside.length > 0 ? Math.min(...inside.map(indentationOf)) : column + 2;
  const stated = readDigit(text, digit);
  const margin = " ".repeat(stated > 0 ? column + stated : least);
  return listLines(text, { from: lineStart, to: end }).flatMap(({ row, offset }) => {
    const indentation = indentationOf(row);
    // Who is typing a line of the text right now has written it beside the line break.
    if (!isOutside(row) || !(isApart(offset) || isApart(offset + indentation))) return [];
    const spaces = row.indexOf(margin, indentation);
    if (spaces < 0) return [{ from: offset, to: offset + indentation, insert: margin }];
    return [
      { from: offset, to: offset, insert: margin },
      { from: offset + spaces, to: offset + spaces + margin.length, insert: "" },
    ];
  });
}

/** 0: none is stated. */
const readDigit = (text: string, { from: start, to: end }: TextRange): number => Number(text.slice(start, end));

/** The whole lines of a range that begins at the start of one. */
const listLines = (text: string, { from: start, to: end }: TextRange): { row: string; offset: number }[] =>
  [...text.slice(start).matchAll(/^[^\r\n]*/gm)]
    .map(({ 0: row, index }) => ({ row, offset: start + index }))
    .filter(({ offset }) => offset < end);

const isFilled = (row: string): boolean => row.trim() !== "";
const indentationOf = (row: string): number => row.length - row.trimStart().length;

interface BlockRows {
  /** The most spaces in an empty line before the first one that is not. */
  spaces: number;
  /** Of the lines that are not empty. */
  indentations: readonly number[];
}

function readRows(text: string, bodyStart: number, column: number): BlockRows {
  const rows = text.slice(bodyStart).split("\n");
  const empty = rows.slice(0, rows.findIndex(isFilled));
  const all = rows.filter(isFilled).map(indentationOf);
  const end = all.findIndex((indentation) => indentation <= column);
  const indentations = end < 0 ? all : all.slice(0, end);
  const widest = empty.reduce((most, row) => Math.max(most, row.replace("\r", "").length), 0);
  return { spaces: indentations.length > 0 ? widest : 0, indentations };
}
