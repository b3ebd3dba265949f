import { diffLines } from "diff";
import { toMinimalChange } from "../flow/text-change";
import type { TextChange } from "../flow/text-range";

/** Texts that differ in more lines than this become one replacement. */
const mostEdits = 2_000;

/** The changes that lead from one text to another: one for each run of changed lines, as small as its lines allow. */
export function diffTexts(before: string, after: string): TextChange[] {
  const whole = toMinimalChange(before, after);
  if (whole === null) return [];
  const oldPart = before.slice(whole.from, whole.to);
  const hunks = diffLines(oldPart, whole.insert, { maxEditLength: mostEdits });
  if (hunks === undefined) return [whole];
  const changes: TextChange[] = [];
  let offset = whole.from;
  let removed = "";
  let added = "";
  const close = (): void => {
    const change = toMinimalChange(removed, added);
    if (change) changes.push({ ...change, from: offset + change.from, to: offset + change.to });
    offset += removed.length;
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
