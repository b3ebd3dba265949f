import type { TextChange } from "./text";

/** The text after `changes`, whose ranges all refer to the text before any of them and do not overlap. Any order. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  let result = "";
  let done = 0;
  for (const change of [...changes].sort((a, b) => a.from - b.from || a.to - b.to)) {
    if (change.from < done || change.to < change.from || change.to > text.length)
      throw new Error(`text changes overlap or leave the text at ${change.from}`);
    result += text.slice(done, change.from) + change.insert;
    done = change.to;
  }
  return result + text.slice(done);
}

/** The one replacement that turns `before` into `after`, as small as a shared start and end allow; null when equal. */
export function toMinimalChange(before: string, after: string): TextChange | null {
  if (before === after) return null;
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < shortest - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end++;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
