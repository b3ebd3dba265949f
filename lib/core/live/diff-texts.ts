import { cutToChangedLines } from "../flow/rebase/changed-lines";
import { toWholeWords } from "../flow/rebase/rebase-texts";
import { toMinimalChange } from "../flow/text-change";
import { splitLines, type TextChange } from "../flow/text-range";
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

/** The same with words as a whole. */
export const diffWords = (before: string, after: string): TextChange[] =>
  toWholeWords(before, diffTexts(before, after));
