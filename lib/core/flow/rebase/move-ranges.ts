import type { TextChange, TextRange } from "../text-range";
import { sortChanges } from "./rebase-changes";

/** A part of a range that changes leave in the text; `shift`: how far they move it. */
interface LeftRange extends TextRange {
  shift: number;
}

/** What changes leave of ranges of a text, in offsets of the text before them. */
export function listLeft(ranges: readonly TextRange[], changes: readonly TextChange[]): LeftRange[] {
  const sorted = sortChanges(changes);
  return ranges.flatMap((range) => {
    const left: LeftRange[] = [];
    let [offset, shift] = [range.from, 0];
    const addUpTo = (end: number): void => {
      if (end > offset) left.push({ from: offset, to: end, shift });
    };
    for (const { from: start, to: end, insert } of sorted) {
      if (start >= range.to) break;
      addUpTo(start);
      shift += insert.length - (end - start);
      offset = Math.max(offset, end);
    }
    addUpTo(range.to);
    return left;
  });
}

/** Where what changes leave of ranges is in the text after them. Sorted. */
export const moveRanges = (ranges: readonly TextRange[], changes: readonly TextChange[]): TextRange[] =>
  joinRanges(
    listLeft(ranges, changes).map(({ shift, from: start, to: end }) => ({ from: start + shift, to: end + shift })),
  );

/** Where what changes insert is in the text after them. Sorted. */
export function listInserted(changes: readonly TextChange[]): TextRange[] {
  let shift = 0;
  return sortChanges(changes).flatMap(({ from: start, to: end, insert }) => {
    const from = start + shift;
    shift += insert.length - (end - start);
    return insert === "" ? [] : { from, to: from + insert.length };
  });
}

/** The letters of all ranges in as few ranges as possible. Sorted. */
export function joinRanges(ranges: readonly TextRange[]): TextRange[] {
  const joined: TextRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && range.from <= last.to) joined.splice(-1, 1, { from: last.from, to: Math.max(last.to, range.to) });
    else joined.push(range);
  }
  return joined;
}

export const countLetters = (ranges: readonly TextRange[]): number =>
  ranges.reduce((sum, { from: start, to: end }) => sum + end - start, 0);
