import type { Session } from "../session";
import { hasUnsaved } from "./autosave";
import type { LocalCopy } from "./local-store";
import { isAmongSent, sameSnapshot, toSent } from "./snapshot";

/** What the browser keeps of a session; null: everything is saved. */
export function toLocalCopy({
  editor,
  autosave,
  live,
}: Pick<Session, "editor" | "autosave" | "live">): LocalCopy | null {
  const state = autosave.store.getState();
  if (!hasUnsaved(state)) return null;
  const { text, layout } = editor.store.getState();
  const base = { ...state.stored, revision: state.revision };
  // What the document saves has the ids of its letters.
  const isByRequest = state.sending !== null && !live.isTogether();
  const sent = [...state.unanswered, ...(state.sending && isByRequest ? [toSent(state.sending)] : [])];
  return { base, current: { source: text, layout }, shared: live.copies.read() ?? undefined, sent };
}

/** Goes on with the changes of a copy, which the editor shows already. */
export function recoverCopy(
  { autosave, live, notify }: Session,
  { base, current, shared, sent = [] }: LocalCopy,
): void {
  const { stored, revision } = autosave.store.getState();
  // No one else has changed what the copy began with.
  const isKnown = sameSnapshot(base, stored) || isAmongSent(sent, stored);
  if (shared) live.copies.keep(shared, { wasSent: sent.length > 0 });
  // A request on leaving may have sent what the copy shows, after it was written.
  const maybeSent = shared ? sent : [...sent, toSent(current)];
  const known = isKnown ? { ...stored, revision } : base;
  autosave.apply({ type: "recovered", base: known, current, sent: maybeSent, isShared: shared !== undefined });
  notify.info("Unsaved changes from your last visit were restored.");
}
