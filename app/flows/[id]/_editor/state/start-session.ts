import { isDrawn } from "@/app/_canvas/state/canvas-store";
import { afterPaint } from "@/app/_ui/loading/after-paint";
import { loadPart } from "@/app/_ui/loading/load-part";
import { whenIdle } from "@/app/_ui/loading/when-idle";
import { loadEditing } from "./editing/editing";
import { holdInput } from "./editing/hold-input";
import type { LastStep } from "./editor/editor";
import { forgetFirstState } from "./forget-first-state";
import type { Autosave } from "./save/autosave-driver";
import { resolveConflict } from "./save/resolve-conflict";
import type { Session } from "./session";
import { readRunInput } from "./shown-run";
import { rememberTextPane } from "./text-pane-choice";
import { unfoldSelected } from "./unfold-selected";

/** Connects the stores of a session until the returned function is called. Without `backup` nothing is stored in this browser. */
export function startSession(session: Session, backup: boolean): () => void {
  const { editor, autosave, canvas, view, access } = session;
  const lastInput = backup ? readRunInput(session.seed.id) : null;
  if (lastInput !== null) view.setState({ runInput: lastInput });
  const stops = [
    canvas.follow(),
    startEditing(session, backup),
    watchNetwork(autosave),
    autosave.store.subscribe(({ phase }, before) => {
      if (phase === before.phase) return;
      if (phase === "emptying") view.setState({ dialog: phase });
      if (phase === "conflict") void session.live.known.then(() => resolveConflict(session));
    }),
    view.subscribe(({ run, textOpen }, before) => {
      if (run !== before.run) writeRunToUrl(run);
      if (textOpen !== before.textOpen) rememberTextPane(textOpen);
    }),
    unfoldSelected(editor),
    editor.store.subscribe(({ text, layout, step }, before) => {
      if (text === before.text && layout === before.layout) return;
      const current = { source: text, layout };
      if (session.live.isReceiving()) return autosave.apply({ type: "received", current });
      // What a reader folds is not saved.
      if (!access.mayEdit) return;
      autosave.apply({ type: "edited", current });
      if (autosave.store.getState().phase !== "saved") autosave.describe(describeChange(step));
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    autosave.flushOnLeave();
    autosave.stop();
    editor.stop();
  };
}

const loadBackup = () => loadPart(() => import("./save/local-backup"));

/** The longest wait for the canvas, in milliseconds: it may be behind another pane. */
const longestWaitMs = 1000;

/** What is saved before the others are known may conflict with them; after this many milliseconds it is saved anyway. */
const longestHoldMs = 3000;

/** After this many milliseconds a conflict is one with people who cannot be reached. */
const longestConnectMs = 15_000;

/** A user who waits longer is told so, in milliseconds. */
const silentWaitMs = 1000;

/** Once the flow is on screen, or a user wants to change it. */
function startEditing(session: Session, backup: boolean): () => void {
  const { editor, canvas, view, access } = session;
  const stops: (() => void)[] = [];
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
    if (backup) {
      const release = session.live.holdSaves();
      const timers = [setTimeout(release, longestHoldMs), setTimeout(session.live.setKnown, longestConnectMs)];
      stops.push(() => timers.forEach(clearTimeout), release);
      const tellKnown = (): void => {
        release();
        session.live.setKnown();
      };
      stops.push(whenIdle(() => void connect(tellKnown)));
    } else session.live.setKnown();
    await input.release();
  };
  const connect = async (onKnown: () => void): Promise<void> => {
    const { startLive } = await loadPart(() => import("./live/live-link"));
    if (stops.length > 0) stops.push(startLive(session, onKnown));
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
  return () => {
    for (const stop of stops.splice(0)) stop();
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

function watchNetwork(autosave: Autosave): () => void {
  const retry = (): void => {
    const { phase } = autosave.store.getState();
    if (phase === "offline" || phase === "failed") void autosave.flush();
  };
  window.addEventListener("online", retry);
  return () => window.removeEventListener("online", retry);
}

/** Shows what another tab saved when this one is opened (after `restored`) or becomes visible, and has no unsaved changes. */
function watchOtherTabs({ autosave, receiveSaved }: Session, restored: Promise<void> = Promise.resolve()): () => void {
  const update = async (): Promise<void> => {
    if (document.visibilityState !== "visible") return;
    const theirs = await autosave.findNewer();
    if (!theirs) return;
    autosave.apply({ type: "caught-up", theirs });
    receiveSaved(theirs.source, theirs.layout);
  };
  void restored.then(update);
  document.addEventListener("visibilitychange", update);
  return () => document.removeEventListener("visibilitychange", update);
}
