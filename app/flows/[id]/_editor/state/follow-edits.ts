import type { LastStep } from "./editor/editor";
import { watchEmptying } from "./save/emptying";
import type { Session } from "./session";

/** Tells autosave what the editor shows, whoever changed it. Returns the function that ends it. */
export function followEdits(session: Pick<Session, "editor" | "autosave" | "live" | "access">): () => void {
  const { editor, autosave, live, access } = session;
  const isEmptied = watchEmptying(session);
  return editor.store.subscribe(({ text, layout, flow, step }, before) => {
    const isSame = text === before.text && layout === before.layout;
    // A typed text is read after it was shown.
    if (isSame && (flow === before.flow || !isEmptied())) return;
    const current = { source: text, layout };
    if (live.isReceiving()) return autosave.apply({ type: "received", current });
    // What a reader folds is not saved.
    if (!access.mayEdit) return;
    autosave.apply({ type: "edited", current, isEmptied: isEmptied(), isShared: live.isTogether() });
    if (isSame) return;
    if (autosave.store.getState().phase !== "saved") autosave.describe(describeChange(step));
  });
}

/** What versions show as done; null is typing. */
function describeChange(step: LastStep | null): string {
  if (!step) return "Edited the text";
  return step.how === "did" ? step.words.done : `${step.how === "undid" ? "Undid" : "Redid"}: ${step.words.name}`;
}
