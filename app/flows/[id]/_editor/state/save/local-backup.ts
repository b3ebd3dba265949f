import { afterPaint } from "@/app/_ui/loading/after-paint";
import { fromHistoryRecord, toHistoryRecord } from "@/lib/core/history/history-record";
import type { Session } from "../session";
import { hasUnsaved } from "./autosave";
import { forgetCopy, nameTab, readStoredState, storeTabState, tidyHistories } from "./local-store";
import { sameSnapshot } from "./snapshot";

const keepDelayMs = 500;

/** Unsaved changes of an earlier visit are saved on top of their base revision, so that newer texts are merged. */
export function startLocalBackup(session: Session): { restored: Promise<void>; stop(): void } {
  const { editor, autosave } = session;
  const flowId = session.seed.id;
  const { tab, release } = nameTab();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const write = async (): Promise<void> => {
    timer = undefined;
    const { text, layout, history, selection } = editor.store.getState();
    const state = autosave.store.getState();
    const base = { ...state.stored, revision: state.revision };
    const copy = hasUnsaved(state) ? { base, current: { source: text, layout } } : null;
    await storeTabState(flowId, tab, copy, toHistoryRecord(history, { text, layout, selection }));
  };
  const schedule = (): void => {
    timer ??= setTimeout(write, keepDelayMs);
  };
  const writeNow = (): void => {
    clearTimeout(timer);
    void write();
  };
  const stopEditor = editor.store.subscribe(({ history }, before) => {
    if (history !== before.history) schedule();
  });
  const stopSaving = autosave.store.subscribe(({ revision, phase }, before) => {
    // A copy of saved changes must not outlive the page: the next visit would restore it.
    if (phase === "saved" && before.phase !== "saved") writeNow();
    else if (revision !== before.revision) schedule();
  });
  const writeWaiting = (): void => {
    if (timer !== undefined) writeNow();
  };
  window.addEventListener("pagehide", writeWaiting);

  return {
    // The database is opened after the first paint, which does not depend on it.
    restored: afterPaint().then(async () => {
      const done = await restore(session);
      // Store the restored state under this tab's name before the old copies are deleted.
      if (done.length > 0) await write();
      for (const tab of done) await forgetCopy(flowId, tab);
    }),
    stop() {
      writeWaiting();
      window.removeEventListener("pagehide", writeWaiting);
      stopEditor();
      stopSaving();
      release();
    },
  };
}

async function restore({ seed, editor, autosave, notify }: Session): Promise<string[]> {
  const flowId = seed.id;
  const opened = editor.store.getState();
  const { copies = [], history } = (await readStoredState(flowId)) ?? {};
  const now = editor.store.getState();
  // The user has edited in the meantime: the copy waits for the next visit.
  if (now.text !== opened.text || now.layout !== opened.layout || now.history.canUndo) return [];
  const snapshot = { source: now.text, layout: now.layout };
  const done = copies.filter(({ copy }) => sameSnapshot(copy.current, snapshot)).map(({ tab }) => tab);
  const last = copies.findLast(({ tab }) => !done.includes(tab));
  const current = last?.copy.current ?? snapshot;
  const steps = fromHistoryRecord(history, { text: current.source, layout: current.layout });
  if (steps) editor.restore(current.source, current.layout, steps);
  else if (last) editor.replace(current.source, current.layout);
  if (last) {
    autosave.apply({ type: "recovered", base: last.copy.base, current });
    notify.info("Unsaved changes from your last visit were restored.");
  }
  await tidyHistories(flowId, Date.now(), steps === null && history !== undefined);
  return last ? [...done, last.tab] : done;
}
