import type { Editor, LastStep } from "./editor/editor";
import type { Autosave } from "./save/autosave-driver";
import { startLocalBackup, watchNetwork } from "./save/local-backup";
import { resolveConflict } from "./save/resolve-conflict";
import type { Session } from "./session";
import { readRunInput } from "./shown-run";
import { rememberTextPane } from "./text-pane-choice";
import { unfoldSelected } from "./unfold-selected";

/** Connects the stores of a session until the returned function is called. Without `backup` nothing is stored in this browser. */
export function startSession(session: Session, backup: boolean): () => void {
  const { editor, autosave, canvas, view } = session;
  const stopCanvas = canvas.follow();
  const lastInput = backup ? readRunInput(session.seed.id) : null;
  if (lastInput !== null) view.setState({ runInput: lastInput });
  const localBackup = backup ? startLocalBackup(session) : null;
  const stopWatching = watchOtherTabs(autosave, editor, localBackup?.restored);
  const stopNetwork = watchNetwork(autosave);
  const stopPhases = autosave.store.subscribe(({ phase }, before) => {
    if (phase === before.phase) return;
    if (phase === "emptying") view.setState({ dialog: phase });
    if (phase === "conflict") void resolveConflict(session);
  });
  const stopUrl = view.subscribe(({ run, textOpen }, before) => {
    if (run !== before.run) writeRunToUrl(run);
    if (textOpen !== before.textOpen) rememberTextPane(textOpen);
  });
  const stopUnfolding = unfoldSelected(editor);
  const stopSaving = editor.store.subscribe(({ text, layout, step }, before) => {
    if (text === before.text && layout === before.layout) return;
    autosave.apply({ type: "edited", current: { source: text, layout } });
    if (autosave.store.getState().phase !== "saved") autosave.describe(describeChange(step));
  });
  return () => {
    for (const stop of [stopCanvas, stopUnfolding, stopSaving, stopUrl, stopPhases, stopWatching, stopNetwork]) stop();
    localBackup?.stop();
    autosave.flushOnLeave();
    autosave.stop();
    editor.stop();
  };
}

/** What versions show as done; null is typing. */
function describeChange(step: LastStep | null): string {
  if (!step) return "Edited the text";
  return step.how === "did" ? step.words.done : `${step.how === "undid" ? "Undid" : "Redid"}: ${step.words.name}`;
}

function writeRunToUrl(run: string | null): void {
  const url = new URL(location.href);
  if (run === null) url.searchParams.delete("run");
  else url.searchParams.set("run", run);
  history.replaceState(null, "", url);
}

/** Shows what another tab saved when this one is opened (after `restored`) or becomes visible, and has no unsaved changes. */
function watchOtherTabs(autosave: Autosave, editor: Editor, restored: Promise<void> = Promise.resolve()): () => void {
  const update = async (): Promise<void> => {
    if (document.visibilityState !== "visible") return;
    const theirs = await autosave.findNewer();
    if (!theirs) return;
    autosave.apply({ type: "caught-up", theirs });
    editor.replace(theirs.source, theirs.layout);
  };
  void restored.then(update);
  document.addEventListener("visibilitychange", update);
  return () => document.removeEventListener("visibilitychange", update);
}
