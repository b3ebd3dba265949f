import { isDrawn } from "@/app/_canvas/state/canvas-store";
import { afterPaint } from "@/app/_ui/loading/after-paint";
import { loadPart } from "@/app/_ui/loading/load-part";
import { connectLive } from "./access/connect-live";
import { loadEditing } from "./editing/editing";
import { holdInput } from "./editing/hold-input";
import { followEdits } from "./follow-edits";
import { forgetFirstState } from "./forget-first-state";
import { followRunInput } from "./run-input";
import type { Autosave } from "./save/autosave-driver";
import { catchUp } from "./save/catch-up";
import { askAboutEmptying } from "./save/emptying";
import { watchConflicts } from "./save/resolve-conflict";
import type { Session } from "./session";
import { rememberTextPane } from "./text-pane-choice";
import { unfoldSelected } from "./unfold-selected";

/** Connects the stores of a session until the returned function is called. Without `backup` nothing is stored in this browser. */
export function startSession(session: Session, backup: boolean): () => void {
  const { editor, autosave, canvas, view } = session;
  autosave.start();
  const stops = [
    backup ? followRunInput(view, session.seed.id) : () => {},
    canvas.follow(),
    startEditing(session, backup),
    watchNetwork(autosave),
    autosave.store.subscribe(({ phase }, before) => {
      if (phase === before.phase) return;
      if (phase === "emptying") askAboutEmptying(session);
      // It was undone, also because someone else came.
      else if (view.getState().dialog === "emptying") view.setState({ dialog: null });
    }),
    watchConflicts(session),
    view.subscribe(({ run, textOpen }, before) => {
      if (run !== before.run) writeRunToUrl(run);
      if (textOpen !== before.textOpen) rememberTextPane(textOpen);
    }),
    unfoldSelected(editor),
    followEdits(session),
  ];
  return () => {
    const leaving = autosave.flushOnLeave();
    for (const stop of stops) stop(leaving);
    autosave.stop();
    editor.stop();
  };
}

const loadBackup = () => loadPart(() => import("./backup/local-backup"));

/** The longest wait for the canvas, in milliseconds: it may be behind another pane. */
const longestWaitMs = 1000;

/** A user who waits longer is told so, in milliseconds. */
const silentWaitMs = 1000;

/** Once the flow is on screen, or a user wants to change it. */
function startEditing(session: Session, backup: boolean): (leaving: Promise<boolean>) => void {
  const { editor, canvas, view, access } = session;
  const stops: ((leaving: Promise<boolean>) => void)[] = [];
  let opening: Promise<void> | null = null;
  const open = async (): Promise<void> => {
    const [{ startLocalBackup }] = await Promise.all([loadBackup(), loadEditing()]);
    if (stops.length === 0) return;
    editor.open();
    forgetFirstState(editor.store);
    forgetFirstState(canvas);
    const localBackup = backup && access.mayEdit ? startLocalBackup(session) : null;
    if (localBackup) stops.push(localBackup.stop);
    stops.push(watchOtherTabs(session, localBackup?.restored));
    view.setState({ editing: "ready" });
    if (backup) stops.push(connectLive(session, localBackup?.restored));
    else session.live.setKnown();
    await input.release();
  };
  const begin = (): void => {
    opening ??= open();
  };
  const tellWaiting = (): void => {
    const timer = setTimeout(() => {
      if (view.getState().editing === "loading") view.setState({ editing: "waiting" });
    }, silentWaitMs);
    stops.push(() => clearTimeout(timer));
  };
  const input = holdInput(() => {
    tellWaiting();
    begin();
  });
  const timer = setTimeout(begin, longestWaitMs);
  stops.push(
    input.stop,
    () => clearTimeout(timer),
    canvas.subscribe((state) => {
      if (isDrawn(state) && !opening) void afterPaint().then(begin);
    }),
  );
  return (leaving) => {
    for (const stop of stops.splice(0)) stop(leaving);
  };
}

function writeRunToUrl(run: string | null): void {
  const url = new URL(location.href);
  if (run === null) url.searchParams.delete("run");
  else url.searchParams.set("run", run);
  history.replaceState(null, "", url);
}

function watchNetwork(autosave: Autosave): () => void {
  const retry = (): void => {
    const { phase } = autosave.store.getState();
    if (phase === "offline" || phase === "failed") void autosave.flush();
  };
  window.addEventListener("online", retry);
  return () => window.removeEventListener("online", retry);
}

/** Shows what another tab saved when this one is opened (after `restored`) or becomes visible, and has no unsaved changes. */
function watchOtherTabs(session: Session, restored: Promise<void> = Promise.resolve()): () => void {
  const update = async (): Promise<void> => {
    if (document.visibilityState === "visible") await catchUp(session);
  };
  void restored.then(update);
  document.addEventListener("visibilitychange", update);
  return () => document.removeEventListener("visibilitychange", update);
}
