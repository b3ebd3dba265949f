import { afterPaint } from "@/app/_ui/loading/after-paint";
import { loadPart } from "@/app/_ui/loading/load-part";
import { fromHistoryRecord, toHistoryRecord } from "@/lib/core/history/history-record";
import { toLocalCopy } from "../save/local-copy";
import {
  forgetCopies,
  type LocalCopy,
  nameTab,
  readStoredState,
  storeTabState,
  tidyHistories,
} from "../save/local-store";
import type { Session } from "../session";
import { keepQuestions } from "./keep-questions";

/** Writing takes long for long texts. */
const [keepDelayMs, longKeepDelayMs, longLength] = [100, 500, 50_000];

/** Unsaved changes of an earlier visit are saved on top of their base revision, so that newer texts are merged. */
export function startLocalBackup(session: Session): { restored: Promise<void>; stop(left: Promise<boolean>): void } {
  const { editor, autosave } = session;
  const flowId = session.seed.id;
  const { tab, release } = nameTab();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const copy = createCopy(session, tab);
  const questions = keepQuestions(session, tab);
  const write = (): Promise<void> => {
    timer = undefined;
    return copy.write();
  };
  const schedule = (): void => {
    const { length } = editor.store.getState().text;
    timer ??= setTimeout(write, length > longLength ? longKeepDelayMs : keepDelayMs);
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
  // After fields, which commit what is typed in them: the browser asks the user before it leaves.
  const leaving = ["beforeunload", "pagehide"] as const;
  for (const event of leaving) window.addEventListener(event, writeWaiting);

  return {
    // The database is opened after the first paint, which does not depend on it.
    restored: afterPaint().then(() =>
      restoreAlone(flowId, async () => {
        const tabs = await restore(session);
        if (tabs.length > 0) await copy.replace(tabs);
        await questions.restore();
      }),
    ),
    /** `left`: whether the server has everything that this editor changed. */
    stop(left: Promise<boolean>) {
      const isWaiting = timer !== undefined;
      // First: a write after this one would find the shared document closed.
      clearTimeout(timer);
      const written = isWaiting ? write() : Promise.resolve();
      void Promise.all([left, written]).then(([isSaved]) => (isSaved ? copy.forget() : null));
      for (const event of leaving) window.removeEventListener(event, writeWaiting);
      stopEditor();
      stopSaving();
      questions.stop();
      release();
    },
  };
}

/** What the browser keeps of a tab. */
function createCopy(session: Session, tab: string) {
  const flowId = session.seed.id;
  /** Closed tabs whose changes this one has: their copies are deleted with the first one that is stored here. */
  let restoredTabs: readonly string[] = [];
  const write = async (): Promise<void> => {
    const { text, layout, history, selection } = session.editor.store.getState();
    const replaced = restoredTabs;
    const isStored = await storeTabState(flowId, tab, {
      copy: toLocalCopy(session),
      history: toHistoryRecord(history, { text, layout, selection }),
      replaced,
    });
    session.backup.setState({ isFailing: !isStored });
    if (isStored) restoredTabs = restoredTabs.filter((one) => !replaced.includes(one));
  };
  return {
    write,
    replace(tabs: readonly string[]): Promise<void> {
      restoredTabs = tabs;
      return write();
    },
    forget: () => forgetCopies(flowId, [tab, ...restoredTabs]),
  };
}

/** One tab after the other: a browser that starts anew opens several at once, and each would restore the same copy. */
async function restoreAlone(flowId: string, work: () => Promise<void>): Promise<void> {
  if (navigator.locks) await navigator.locks.request(`swarmloom-restore-${flowId}`, work);
  else await work();
}

async function loadParts() {
  const [{ listSavedTabs }, { restoreCopies, orderCopies }] = await Promise.all([
    loadPart(() => import("../save/saved-copies")),
    loadPart(() => import("./restore-copies")),
  ]);
  return { listSavedTabs, restoreCopies, orderCopies };
}

async function restore(session: Session): Promise<string[]> {
  const { seed, editor, autosave, live } = session;
  const flowId = seed.id;
  const opened = editor.store.getState();
  const { revision } = autosave.store.getState();
  const { copies = [], unreadable = [], history } = (await readStoredState(flowId, opened.layout)) ?? {};
  const shown = { source: opened.text, layout: opened.layout, revision };
  const parts = copies.length === 0 ? null : await loadParts();
  const done = (await parts?.listSavedTabs(flowId, copies, shown)) ?? [];
  const now = editor.store.getState();
  const isChanged = now.text !== opened.text || now.layout !== opened.layout || now.history.canUndo;
  // In the meantime the user has edited, or edits together with others: the copy waits for the next visit.
  if (isChanged || live.isTogether()) return [];
  const snapshot = { source: now.text, layout: now.layout };
  const unsaved = parts?.orderCopies(copies.filter(({ tab }) => !done.includes(tab)).map(({ copy }) => copy)) ?? [];
  const current = unsaved.at(-1)?.current ?? snapshot;
  const steps = fromHistoryRecord(history, { text: current.source, layout: current.layout });
  const showSteps = steps ? (): void => editor.restore(current.source, current.layout, steps) : undefined;
  if (unsaved.length > 0) parts?.restoreCopies(session, unsaved, showSteps);
  else showSteps?.();
  await tidyHistories(flowId, Date.now(), steps === null && history !== undefined);
  if (unreadable.length > 0)
    session.notify.error("Unsaved changes from an earlier visit could not be read, and are lost.");
  const restored = copies.filter(({ tab, copy }) => !done.includes(tab) || !keepDeletions(session, tab, copy));
  return [...unreadable, ...restored.map(({ tab }) => tab)];
}

/** What was deleted in the shared document is deleted once it is joined: the text of the flow does not tell whether it was. */
function keepDeletions({ seed, live }: Session, tab: string, { shared, sent = [] }: LocalCopy): boolean {
  if (!shared?.hasDeleted || sent.length > 0) return false;
  live.copies.deletions.keep(shared, () => void forgetCopies(seed.id, [tab]));
  return true;
}
