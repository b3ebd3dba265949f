import type { Announcer } from "../../state/announcer";
import type { Editor, EditorState, LastStep } from "../../state/editor/editor";
import { describeSelection } from "./describe-selection";

const sayStep = ({ how, words }: LastStep): string => {
  if (how === "did") return words.done;
  return `${how === "undid" ? "Undid" : "Redid"}: ${words.name}`;
};

/** Says what edits did and what is selected, until the returned function is called. */
export function announceEditor(announcer: Announcer, editor: Editor): () => void {
  const stopListening = editor.store.subscribe((state, before) => {
    if (state.step !== before.step && state.step) announcer.say("step", sayStep(state.step));
    const wasChosen = state.selection !== before.selection || state.edge !== before.edge;
    if (wasChosen && !isTyping(state, before)) announcer.say("selection", describeSelection(state));
  });
  return () => {
    stopListening();
    announcer.stop();
  };
}

/** A caret that moves along through the text selects what it passes: the text itself is heard then. */
const isTyping = (state: EditorState, before: EditorState): boolean =>
  state.text !== before.text && state.step === null;
