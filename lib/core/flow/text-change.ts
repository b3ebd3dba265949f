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
