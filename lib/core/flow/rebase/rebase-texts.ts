import { applyChanges, toMinimalChange } from "../text-change";
import { moveRange, type TextChange } from "../text-range";
import { toWordChanges } from "./diff-tokens";
import { rebaseChanges } from "./rebase-changes";

/**
 * Sorted changes of a text with words as a whole, unless one word became another one: where one side deletes a word, it takes no
 * letter out of what the other side wrote beside it.
 */
export const toWholeWords = (before: string, changes: readonly TextChange[]): TextChange[] =>
  toWordChanges(before, widenToWords(before, changes)).flatMap((change) => {
    const removed = before.slice(change.from, change.to);
    if (!isWord.test(removed) || !isWord.test(change.insert)) return [beginWithSpace(before, change)];
    const letters = toMinimalChange(removed, change.insert);
    return letters ? [moveRange(letters, change.from)] : [];
  });

/** A deletion or an insertion with the space before its words in place of the one after them. */
function beginWithSpace(text: string, change: TextChange): TextChange {
  const { from: start, to: end, insert } = change;
  const moved = insert === "" ? text.slice(start, end) : insert;
  const isPure = insert === "" || start === end;
  if (!isPure || text[start - 1] !== " " || !/[^ ] $/.test(moved)) return change;
  return { from: start - 1, to: end - 1, insert: insert && ` ${insert.slice(0, -1)}` };
}

const isWord = /^[\p{L}\p{N}_]+$/u;
const wordEnd = /[\p{L}\p{N}_]*$/u;
const wordStart = /^[\p{L}\p{N}_]*/u;
/** Longer words are cut. */
const longestWord = 100;

/** Sorted changes of the whole words that they begin or end in. */
function widenToWords(text: string, changes: readonly TextChange[]): TextChange[] {
  let known = 0;
  return changes.map(({ from: start, to: end, insert }, index) => {
    const next = changes[index + 1]?.from ?? text.length;
    const [before] = wordEnd.exec(text.slice(Math.max(known, start - longestWord), start)) ?? [""];
    const [after] = wordStart.exec(text.slice(end, Math.min(next, end + longestWord))) ?? [""];
    known = end + after.length;
    return { from: start - before.length, to: known, insert: before + insert + after };
  });
}

export interface RebasedTexts {
  /** What leads from the text with which both began, and what both wrote, to `theirs`. */
  over: readonly TextChange[];
  /** What `mine` has besides, as changes of `theirs`. */
  changes: TextChange[];
}

/** The changes of `mine` over those of `theirs`; both began as `base`. What both wrote at one place is there once. */
export function rebaseTexts(
  base: string,
  mine: string,
  theirs: string,
  { diff, side }: { diff: (before: string, after: string) => TextChange[]; side?: "own" | "foreign" },
): RebasedTexts {
  const [own, others] = [diff(base, mine), diff(base, theirs)];
  const shared = listShared(base, own, others);
  const start = applyChanges(base, shared);
  const [rest, over] = shared.length === 0 ? [own, others] : [diff(start, mine), diff(start, theirs)];
  return { over, changes: rebaseChanges(rest, over, side) };
}

/** What two sides wrote at the same place, also where one of them went on after it, or before it. */
function listShared(base: string, own: readonly TextChange[], others: readonly TextChange[]): TextChange[] {
  const othersByPlace = new Map(others.map((change) => [`${change.from} ${change.to}`, change]));
  return own.flatMap((change) => {
    const other = othersByPlace.get(`${change.from} ${change.to}`);
    if (!other) return [];
    const [less, more] = change.insert.length < other.insert.length ? [change, other] : [other, change];
    const isWhole = isPartOf(less.insert, more.insert) && !isInWord(base, less);
    return less.insert === more.insert || isWhole ? [less] : [];
  });
}

/** Whether a text begins or ends with these words. */
const isPartOf = (words: string, text: string): boolean =>
  (text.startsWith(words) && !isInWord(text, { from: words.length, to: words.length, insert: words })) ||
  (text.endsWith(words) && !isInWord(text, { from: text.length - words.length, to: text.length, insert: words }));

/** Whether what is inserted begins or goes on in a word of the text. */
const isInWord = (text: string, { from: start, to: end, insert }: TextChange): boolean =>
  joins(text[start - 1], insert[0]) || joins(insert.at(-1), text[end]);

const joins = (before = "", after = ""): boolean => isWord.test(before) && isWord.test(after);
