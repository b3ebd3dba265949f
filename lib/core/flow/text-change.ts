import { moveRange, splitsPair, type TextChange } from "./text-range";

/** The text after `changes`, whose ranges all refer to the text before any of them and do not overlap. Any order. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  let result = "";
  let end = 0;
  for (const change of [...changes].sort((a, b) => a.from - b.from || a.to - b.to)) {
    if (change.from < end || change.to < change.from || change.to > text.length)
      throw new Error(`text changes overlap or leave the text at ${change.from}`);
    result += text.slice(end, change.from) + change.insert;
    end = change.to;
  }
  return result + text.slice(end);
}

/**
 * The one replacement that turns `before` into `after`, as small as a shared start and end allow; null when equal. Of several
 * such deletions or insertions it is one that splits no indentation, where there is one. No character is split.
 */
export function toMinimalChange(before: string, after: string): TextChange | null {
  if (before === after) return null;
  const shortest = Math.min(before.length, after.length);
  const equalAtStart = countEqual(shortest, (low, high) => before.slice(low, high) === after.slice(low, high));
  const start = splitsEither(before, equalAtStart, after, equalAtStart) ? equalAtStart - 1 : equalAtStart;
  const equalAtEnd = countEqual(
    shortest - start,
    (low, high) => sliceFromEnd(before, low, high) === sliceFromEnd(after, low, high),
  );
  const isEndSplit = splitsEither(before, before.length - equalAtEnd, after, after.length - equalAtEnd);
  const end = isEndSplit ? equalAtEnd - 1 : equalAtEnd;
  return keepIndentations(before, after, {
    from: start,
    to: before.length - end,
    insert: after.slice(start, after.length - end),
  });
}

/** A change of a text without what stays at its start and end; none when nothing is changed. */
export function withoutSame(text: string, { from: start, to: end, insert }: TextChange): TextChange[] {
  const change = toMinimalChange(text.slice(start, end), insert);
  return change ? [moveRange(change, start)] : [];
}

const splitsEither = (before: string, offset: number, after: string, newOffset: number): boolean =>
  splitsPair(before, offset) || splitsPair(after, newOffset);

/** Moves a deletion or an insertion to the left as long as the text after it is the same, until it splits no indentation. */
function keepIndentations(before: string, after: string, change: TextChange): TextChange {
  const { from: start, to: end, insert } = change;
  if (insert !== "" && end > start) return change;
  // Both are a range of one of the texts that the other one lacks.
  const [text, length] = insert === "" ? [before, end - start] : [after, insert.length];
  const splits = (offset: number): boolean => isInIndentation(text, offset);
  let offset = start;
  while (splits(offset) || splits(offset + length)) {
    if (offset === 0 || text[offset - 1] !== text[offset + length - 1]) return change;
    offset--;
  }
  return { from: offset, to: offset + end - start, insert: insert && text.slice(offset, offset + length) };
}

/** Whether a space follows the offset, and there are only spaces in its line before it. */
function isInIndentation(text: string, offset: number): boolean {
  if (text[offset] !== " ") return false;
  let lineStart = offset;
  while (text[lineStart - 1] === " ") lineStart--;
  return lineStart === 0 || text[lineStart - 1] === "\n";
}

/** The characters of a text between two offsets that are counted from its end. */
const sliceFromEnd = (text: string, startOffset: number, endOffset: number): string =>
  text.slice(text.length - endOffset, text.length - startOffset);

/** The number of equal characters at the start, up to `length`, by binary search over ranges. */
function countEqual(length: number, isSame: (start: number, end: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isSame(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
