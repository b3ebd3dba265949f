import type { Announcer } from "../../state/announcer";
import type { Editor, EditorState, LastStep } from "../../state/editor/editor";
import { describeSelection } from "./describe-selection";

const describeStep = ({ how, words }: LastStep): string => {
  if (how === "did") return words.done;
  return `${how === "undid" ? "Undid" : "Redid"}: ${words.name}`;
};

export function announceEditor(announcer: Announcer, editor: Editor): () => void {
  const stopListening = editor.store.subscribe((state, before) => {
    if (state.step !== before.step && state.step) announcer.announce("step", describeStep(state.step));
    const isSelectionChanged = state.selection !== before.selection || state.edge !== before.edge;
    if (isSelectionChanged && !isTyping(state, before)) announcer.announce("selection", describeSelection(state));
  });
  return () => {
    stopListening();
    announcer.stop();
  };
}

/** While the user types, the screen reader reads the text itself. */
const isTyping = (state: EditorState, before: EditorState): boolean =>
  state.text !== before.text && state.step === null;
