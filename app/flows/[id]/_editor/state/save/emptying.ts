import { declaredNames } from "@/lib/core/kinds/members";
import type { Session } from "../session";

/** A flow of so many parts is not emptied by accident without a question. */
const minAskedParts = 2;
/** Who empties a flow to write another text goes on typing. */
const askDelayMs = 1_000;

/** Asks the user, who may have undone it or typed another text meanwhile. */
export function askAboutEmptying({ autosave, view }: Pick<Session, "autosave" | "view">): void {
  setTimeout(() => {
    if (autosave.store.getState().phase === "emptying") view.setState({ dialog: "emptying" });
  }, askDelayMs);
}

/** Whether nothing is left of the flow here, and the user has not agreed yet that nothing stays. */
export function isEmptyingAsked({ autosave }: Pick<Session, "autosave">): boolean {
  const { isEmptied, emptyAllowed } = autosave.store.getState();
  return isEmptied && !emptyAllowed;
}

const kept = { name: "return of the flow", done: "Brought back the stored flow" };

/** Takes back what emptied the flow, and what came after it. Where undo did that the stored flow comes back as a step. */
export function keepFlow({ editor, autosave, live }: Pick<Session, "editor" | "autosave" | "live">): void {
  const isEmpty = (): boolean => {
    const { phase, isEmptied } = autosave.store.getState();
    return phase === "emptying" || isEmptied;
  };
  const { step } = editor.store.getState();
  while (step?.how !== "undid" && isEmpty() && editor.store.getState().history.canUndo) editor.undo();
  if (!isEmpty()) return;
  const { source, layout } = live.store.getState().held ?? autosave.store.getState().stored;
  editor.replace(source, layout, kept);
}

/** Returns whether nothing is left of the several parts that the flow had when it was saved last. */
export function watchEmptying({ editor, autosave }: Pick<Session, "editor" | "autosave">): () => boolean {
  const countShown = (): number => countParts(editor, editor.store.getState().text);
  let savedParts = countShown();
  let sent: { source: string; parts: number } | null = null;
  autosave.store.subscribe(({ revision, sending, stored }, before) => {
    if (sending && sending !== before.sending)
      sent = { source: sending.source, parts: countParts(editor, sending.source) };
    if (revision === before.revision) return;
    // The user may have typed on since it was sent.
    const parts = sent?.source === stored.source ? sent.parts : countParts(editor, stored.source);
    if (!Number.isNaN(parts)) savedParts = parts;
  });
  return () => savedParts >= minAskedParts && countShown() === 0;
}

/** Of a text that cannot be read, or is not read, nothing is known. */
function countParts({ store }: Session["editor"], source: string): number {
  const { document, flow } = store.getState();
  return document.broken || document.text !== source ? Number.NaN : declaredNames(flow).length;
}
