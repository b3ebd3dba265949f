import type { TextChange } from "./text-range";

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
  const start = longest(shortest, (from, to) => before.slice(from, to) === after.slice(from, to));
  const end = longest(shortest - start, (from, to) => endOf(before, from, to) === endOf(after, from, to));
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

/** The characters of a text from `from` to `to`, counted from its end. */
const endOf = (text: string, from: number, to: number): string => text.slice(text.length - to, text.length - from);

/** How many of the first `most` places are the same, where whole stretches can be compared at once. */
function longest(most: number, isSame: (from: number, to: number) => boolean): number {
  let [same, other] = [0, most];
  while (same < other) {
    const middle = Math.ceil((same + other) / 2);
    if (isSame(same, middle)) same = middle;
    else other = middle - 1;
  }
  return same;
}
