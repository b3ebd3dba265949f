import { cutToChangedLines } from "../flow/rebase/changed-lines";
import { toWordChanges } from "../flow/rebase/diff-tokens";
import { rebaseChanges } from "../flow/rebase/rebase-changes";
import { applyChanges, toMinimalChange } from "../flow/text-change";
import { moveRange, splitLines, type TextChange } from "../flow/text-range";
import { type LineChange, listLineChanges } from "./line-changes";

/** Texts that differ in more places, or between whose first and last difference are more lines, become one replacement. */
const [maxChanges, maxLines] = [1_000, 100_000];

/** The changes that lead from one text to another: one for each run of changed lines, as small as its lines allow. */
export function diffTexts(before: string, after: string): TextChange[] {
  const whole = toMinimalChange(before, after);
  if (whole === null) return [];
  const { start, before: oldText, after: newText } = cutToChangedLines(before, after, whole);
  if (hasTooManyLines(oldText) || hasTooManyLines(newText)) return [whole];
  const [lines, newLines] = [splitLines(oldText), splitLines(newText)];
  const changes: TextChange[] = [];
  let [offset, line] = [start, 0];
  for (const lineChange of listLineChanges(lines, newLines)) {
    for (; line < lineChange.from; line++) offset += lines[line]?.length ?? 0;
    for (const [removed, added] of pairLines(lines, newLines, lineChange)) {
      const change = toMinimalChange(removed, added);
      if (change) changes.push({ ...change, from: offset + change.from, to: offset + change.to });
      offset += removed.length;
    }
    line = lineChange.to;
    if (changes.length > maxChanges) return [whole];
  }
  return changes;
}

/** Where as many lines were added as removed, each was changed, unless these are too many. */
function pairLines(
  lines: readonly string[],
  newLines: readonly string[],
  { from: start, to: end, newFrom, newTo }: LineChange,
): [oldText: string, newText: string][] {
  const [removed, added] = [lines.slice(start, end), newLines.slice(newFrom, newTo)];
  const isPaired =
    removed.length === added.length && removed.filter((text, index) => text !== added[index]).length <= maxChanges;
  return isPaired ? removed.map((text, index) => [text, added[index] ?? ""]) : [[removed.join(""), added.join("")]];
}

function hasTooManyLines(text: string): boolean {
  let count = 0;
  for (let end = text.indexOf("\n"); end >= 0 && count <= maxLines; end = text.indexOf("\n", end + 1)) count++;
  return count > maxLines;
}

/**
 * The same with words as a whole, unless one word became another one: where one side deletes a word, it takes no letter out of
 * what the other side wrote beside it.
 */
export const diffWords = (before: string, after: string): TextChange[] =>
  toWordChanges(before, widenToWords(before, diffTexts(before, after))).flatMap((change) => {
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
