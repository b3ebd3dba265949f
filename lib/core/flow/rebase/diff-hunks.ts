import { toMinimalChange, withoutSame } from "../text-change";
import { moveRange, splitLines, type TextChange } from "../text-range";
import { cutToChangedLines } from "./changed-lines";
import { diffBySigns } from "./diff-tokens";

/** The changes between two texts, one for each run of changed lines: what others write between them is in no change. */
export function diffHunks(before: string, after: string): TextChange[] {
  const whole = toMinimalChange(before, after);
  if (!whole) return [];
  if (!before.slice(whole.from, whole.to).includes("\n") && !whole.insert.includes("\n")) return [whole];
  const lines = cutToChangedLines(before, after, whole);
  return diffBySigns(splitLines(lines.before), splitLines(lines.after))
    .flatMap((hunk) => withoutSame(lines.before, hunk))
    .map((change) => moveRange(change, lines.start));
}
