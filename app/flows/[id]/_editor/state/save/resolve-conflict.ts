import { loadPart } from "@/app/_ui/loading/load-part";
import type { Session } from "../session";
import type { Snapshot, Theirs } from "./snapshot";

/** Resolves each conflict as soon as it is known who else has the flow open. Closes its dialog when it is over. */
export function watchConflicts(session: Session): () => void {
  const { autosave, live, view } = session;
  return autosave.store.subscribe(({ phase }, before) => {
    if (phase === before.phase) return;
    if (phase === "conflict") void live.untilKnown().then(() => resolveConflict(session));
    else if (before.phase === "conflict" && view.getState().dialog === "conflict") view.setState({ dialog: null });
  });
}

/** Merges changes that do not overlap; otherwise, and for restored changes, opens the merge view. */
export async function resolveConflict(session: Session): Promise<void> {
  const { autosave, editor, view, notify, live } = session;
  const [{ mergeConflict }, { diffTexts }] = await Promise.all([
    loadPart(() => import("./merge-conflict")),
    loadPart(() => import("@/lib/core/live/diff-texts")),
  ]);
  const state = autosave.store.getState();
  const { phase, theirs, review } = state;
  if (phase !== "conflict" || !theirs) return;
  const { text, layout } = editor.store.getState();
  const merged = mergeConflict(state, { source: text, layout }, theirs);
  // Of a text that no one changed the layout is merged, without a question.
  if (!merged.isOwn && (merged.conflicts > 0 || merged.suspicious || review)) {
    view.setState({ dialog: "conflict" });
    return;
  }
  editor.receive(diffTexts(text, merged.text), merged.layout);
  live.copies.drop();
  autosave.apply({ type: "kept-mine" });
  if (!merged.isOwn) notify.info("This flow was also changed elsewhere. Both changes were merged.");
}

/** Saves what the user made of both. Returns false, and changes nothing, when the conflict with `theirs` is over. */
export function saveMerged(session: Session, theirs: Theirs, { source, layout }: Snapshot): boolean {
  if (!isOpen(session, theirs)) return false;
  session.editor.replace(source, layout);
  session.live.copies.drop();
  session.autosave.apply({ type: "kept-mine" });
  return true;
}

/** Replaces the user's changes. Returns false, and changes nothing, when the conflict with `theirs` is over. */
export function takeTheirs(session: Session, theirs: Theirs): boolean {
  if (!isOpen(session, theirs)) return false;
  session.live.copies.drop();
  session.autosave.apply({ type: "took-theirs" });
  session.editor.replace(theirs.source, theirs.layout);
  return true;
}

function isOpen({ autosave }: Session, theirs: Theirs): boolean {
  const state = autosave.store.getState();
  return state.phase === "conflict" && state.theirs === theirs;
}

/** Resolves when the user is not asked about a conflict. */
export async function untilAnswered({ autosave, view }: Session): Promise<void> {
  const isAsked = (): boolean =>
    autosave.store.getState().phase === "conflict" && view.getState().dialog === "conflict";
  if (!isAsked()) return;
  await new Promise<void>((resolve) => {
    const stops: (() => void)[] = [];
    const check = (): void => {
      if (isAsked()) return;
      for (const stop of stops) stop();
      resolve();
    };
    stops.push(autosave.store.subscribe(check), view.subscribe(check));
  });
}
