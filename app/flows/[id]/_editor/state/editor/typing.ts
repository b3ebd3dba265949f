import type { Edit } from "@/lib/core/flow/edit";
import type { TextChange } from "@/lib/core/flow/text-range";
import type { EntryDescription } from "@/lib/core/history/describe-edits";
import { getEditing } from "../editing/editing";

export const typingWords: EntryDescription = { name: "typing", done: "Typed" };

/** A burst of typing is one undo step; `end` is where the next key press must be to belong to it. */
export interface TypingBurst {
  number: number;
  end: number;
}

export function followBurst({ number, end }: TypingBurst, change: TextChange | null): TypingBurst {
  if (!change) return { number, end };
  const touches = change.from <= end && end <= change.to;
  return { number: touches ? number : number + 1, end: change.from + change.insert.length };
}

export function findWrittenNote(edits: readonly Edit[]): string | null {
  const [edit, ...otherEdits] = edits;
  if (edit?.type !== "change-note" || otherEdits.length > 0) return null;
  return Object.keys(edit.change).join() === "text" ? edit.id : null;
}

export type Bursts = ReturnType<typeof createBursts>;

export function createBursts() {
  let burst: TypingBurst = { number: 0, end: -1 };
  return {
    /** Returns the number of the burst that the change belongs to. */
    follow(change: TextChange | null): number {
      burst = followBurst(burst, change);
      return burst.number;
    },
    /** Someone else has changed the text. */
    move(changes: readonly TextChange[]): void {
      burst = { ...burst, end: getEditing().moveOffset(burst.end, changes, "foreign") };
    },
  };
}
