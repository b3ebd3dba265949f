import { type FlowState, readFlowState } from "@/app/_canvas/state/flow-state";
import type { Offer } from "@/lib/core/check/offer";
import type { Layout } from "@/lib/core/flow/edit";
import type { TextChange } from "@/lib/core/flow/text-range";
import type { EntryDescription } from "@/lib/core/history/describe-edits";
import { emptyHistory, type History } from "@/lib/core/history/history";

export interface EditorState extends FlowState {
  /** How `text` resulted from the text before, while that is known exactly: lets the text pane keep its caret. */
  change: { before: string; changes: readonly TextChange[] } | null;
  history: History;
  /** The last edit, undo or redo; null while the user types. */
  step: LastStep | null;
}

export interface LastStep {
  how: "did" | "undid" | "redid";
  words: EntryDescription;
}

export const startState = (text: string, layout: Layout, offer: Offer): EditorState => ({
  ...readFlowState(text, layout, offer),
  change: null,
  history: emptyHistory,
  step: null,
});
