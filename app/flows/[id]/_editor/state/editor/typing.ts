import type { Edit } from "@/lib/core/flow/edit";
import type { TextChange } from "@/lib/core/flow/text-range";
import type { StepWords } from "@/lib/core/history/describe-edits";

/** What a step is called that nobody named: a burst of typing, or a whole text that came from elsewhere. */
export const typingWords: StepWords = { name: "typing", done: "Typed" };

/** Typing at one place is one undo step; `end` is where the caret must be for the next key to belong to it. */
export interface Burst {
  number: number;
  end: number;
}

export function followBurst({ number, end }: Burst, change: TextChange | null): Burst {
  if (!change) return { number, end };
  const touches = change.from <= end && end <= change.to;
  return { number: touches ? number : number + 1, end: change.from + change.insert.length };
}

/** The note that the edits only write on; null: they do something else. */
export function findWritten(edits: readonly Edit[]): string | null {
  const [edit, ...otherEdits] = edits;
  if (edit?.type !== "change-note" || otherEdits.length > 0) return null;
  return Object.keys(edit.change).join() === "text" ? edit.id : null;
}
