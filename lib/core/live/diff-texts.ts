import { diffLines } from "diff";
import { toMinimalChange } from "../flow/text-change";
import type { TextChange } from "../flow/text-range";

/** Texts that differ in more lines than this become one replacement. */
const mostEdits = 2_000;

/** The changes that lead from one text to another: one for each run of changed lines, as small as its lines allow. */
export function diffTexts(before: string, after: string): TextChange[] {
  const whole = toMinimalChange(before, after);
  if (whole === null) return [];
  const start = before.lastIndexOf("\n", whole.from - 1) + 1;
  const rest = before.length - findLineEnd(before, whole.to);
  const oldLines = before.slice(start, before.length - rest);
  const hunks = diffLines(oldLines, after.slice(start, after.length - rest), { maxEditLength: mostEdits });
  if (hunks === undefined) return [whole];
  const changes: TextChange[] = [];
  let offset = start;
  let removed = "";
  let added = "";
  const close = (): void => {
    for (const [oldText, newText] of pairLines(removed, added)) {
      const change = toMinimalChange(oldText, newText);
      if (change) changes.push({ ...change, from: offset + change.from, to: offset + change.to });
      offset += oldText.length;
    }
    [removed, added] = ["", ""];
  };
  for (const hunk of hunks) {
    if (hunk.removed) removed += hunk.value;
    else if (hunk.added) added += hunk.value;
    else {
      close();
      offset += hunk.value.length;
    }
  }
  close();
  return changes;
}

/** Where as many lines were added as removed, each was changed. */
function pairLines(removed: string, added: string): [oldText: string, newText: string][] {
  const [oldLines, newLines] = [toLines(removed), toLines(added)];
  if (oldLines.length !== newLines.length) return [[removed, added]];
  return oldLines.map((line, index) => [line, newLines[index] ?? ""]);
}

const toLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** The end of the line that an offset is in; lines are compared as a whole. */
function findLineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end + 1;
}
