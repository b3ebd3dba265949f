import { createStore, type StoreApi } from "zustand/vanilla";
import { toFingerprint } from "@/lib/core/flow/hash-text";
import {
  hasUnsaved,
  nextSaveIn,
  reduceSave,
  type SaveEvent,
  type SavePhase,
  type SaveState,
  startSaving,
} from "./autosave";
import type { requestCurrent, requestLater, requestSave } from "./save-request";
import { type Snapshot, sameSnapshot, type Theirs } from "./snapshot";

export type Autosave = ReturnType<typeof createAutosave>;

export interface SaveWire {
  save: typeof requestSave;
  current: typeof requestCurrent;
  /** The first revisions after one, oldest first; missing: they are not read. */
  later?: typeof requestLater | undefined;
  /** Whether saves wait, and the one that was begun has not been sent. */
  isHeld?(): boolean;
  /**
   * Whether the shared document of the last visit is shown, and not joined yet. Its text has what others wrote since the known
   * revision: a request would save that again. The browser keeps it.
   */
  isKeptCopyOpen?(): boolean;
  /** Whether a save goes through the shared document, in which letters have ids. */
  isShared?(): boolean;
}

/** In these phases nothing is sent before the user decides, or has access again. */
const cannotSend: ReadonlySet<SavePhase> = new Set(["conflict", "emptying", "no-access"]);

/** Saves begun while an editor closed, by flow: an editor that opens the flow again waits for them. */
const savesOnLeave = new Map<string, Promise<unknown>>();

/** Sends the snapshots of a flow when `autosave.ts` wants it, one request at a time. */
export function createAutosave(flowId: string, snapshot: Snapshot, revision: string, wire: SaveWire) {
  const store = createStore<SaveState>(() => startSaving(snapshot, revision));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitingSince: number | null = null;
  let isStopped = false;
  const changes = createChangeNotes();

  const apply = (event: SaveEvent): void => {
    store.setState(reduceSave(store.getState(), event));
    clearTimeout(timer);
    const isWaiting = store.getState().phase === "unsaved";
    waitingSince = isWaiting ? (waitingSince ?? Date.now()) : null;
    const delay = nextSaveIn(store.getState(), isWaiting && waitingSince !== null ? Date.now() - waitingSince : 0);
    if (delay !== null && !isStopped) timer = setTimeout(() => void send(), delay);
  };

  const send = async ({ isAwaited = false } = {}): Promise<void> => {
    if (isStopped) return;
    apply({ type: "sent" });
    const { sending, revision: baseRevision, emptyAllowed } = store.getState();
    if (!sending) return;
    const sent = changes.take();
    const summary = sent.join("\n");
    const request = { flowId, snapshot: sending, baseRevision, allowEmpty: emptyAllowed, summary };
    const answer = await wire.save({ ...request, ...(isAwaited && { isAwaited }) });
    if (answer.type !== "succeeded") changes.putBack(sent);
    apply(answer);
  };

  const flush = shareRunning(() => sendUntilStored(store, send, () => isStopped));

  return {
    store,
    apply,
    /** Notes what an edit did, for the next version. */
    describe: changes.add,
    /** Resolves to true when everything is stored. */
    flush,
    keepVersion: (): Promise<boolean> =>
      keepVersion(flush, () => void (wire.isShared?.() && send({ isAwaited: true }))),
    /** In a request that outlives the page, unless one with the same is under way. Resolves to whether the server has everything. */
    flushOnLeave: (): Promise<boolean> =>
      sendOnLeave(flowId, store, {
        wire,
        summary: changes.list().join("\n"),
        onSent: () => apply({ type: "sent-on-leave" }),
      }),
    /** Null while there are unsaved changes here, and where a save was answered meanwhile: what was read may be older. */
    findNewer: (): Promise<Theirs | null> => findNewer(flowId, store, wire),
    /** Nothing is sent any more, before `start` is called: of what is under way the answer may be that it did not arrive. */
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
    start(): void {
      isStopped = false;
    },
  };
}

/** Who asks meanwhile waits for the same: two flushes would wake each other for ever. */
function shareRunning<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  };
}

/**
 * Makes what the editor shows a version, also what others have just written in the shared document. What is changed as soon as
 * this resolves is in a later version. Resolves to false, and `sendShared` is not called, where a save fails.
 */
async function keepVersion(flush: () => Promise<boolean>, sendShared: () => void): Promise<boolean> {
  const isStored = await flush();
  if (isStored) sendShared();
  return isStored;
}

async function findNewer(flowId: string, store: StoreApi<SaveState>, wire: SaveWire): Promise<Theirs | null> {
  await savesOnLeave.get(flowId);
  const { revision } = store.getState();
  const theirs = await wire.current(flowId);
  const state = store.getState();
  const isIdle = state.phase === "saved" && !state.sending && !hasUnsaved(state);
  const isNewer = theirs !== null && theirs.revision !== state.revision && state.revision === revision;
  return isIdle && isNewer ? theirs : null;
}

async function sendOnLeave(
  flowId: string,
  store: StoreApi<SaveState>,
  { wire, summary, onSent }: { wire: SaveWire; summary: string; onSent(): void },
): Promise<boolean> {
  const state = store.getState();
  if (!hasUnsaved(state)) return true;
  const { phase, current, revision: baseRevision } = state;
  const unanswered = wire.isHeld?.() ? null : state.sending;
  if (cannotSend.has(phase) || wire.isKeptCopyOpen?.()) return false;
  if (unanswered && sameSnapshot(unanswered, current)) return untilAnswered(store);
  const lastSave = wire.save({
    flowId,
    snapshot: current,
    baseRevision,
    allowEmpty: false,
    summary,
    keepalive: true,
    ...(unanswered && { unanswered: toFingerprint(unanswered.source) }),
  });
  // The page may be shown again, and goes on before there is an answer.
  if (!wire.isShared?.()) onSent();
  // Another editor of the flow may have been left a moment ago.
  const saves = Promise.allSettled([savesOnLeave.get(flowId), lastSave]);
  savesOnLeave.set(flowId, saves);
  void saves.then(() => {
    if (savesOnLeave.get(flowId) === saves) savesOnLeave.delete(flowId);
  });
  const answer = await lastSave;
  return answer.type === "succeeded";
}

/** Resolves to whether the save that is under way stored everything. */
const untilAnswered = (store: StoreApi<SaveState>): Promise<boolean> =>
  new Promise((resolve) => {
    const stop = store.subscribe((state) => {
      if (state.sending) return;
      stop();
      resolve(!hasUnsaved(state));
    });
  });

const maxChanges = 50;

/** What was done since the last save, each description once. */
function createChangeNotes() {
  let notes: readonly string[] = [];
  const addAll = (changes: readonly string[]): void => {
    notes = [...new Set([...notes, ...changes])].slice(-maxChanges);
  };
  return {
    add: (change: string): void => addAll([change]),
    list: (): readonly string[] => notes,
    /** What is done from now on belongs to the next save. */
    take(): readonly string[] {
      const taken = notes;
      notes = [];
      return taken;
    },
    /** Of a save that failed. */
    putBack(taken: readonly string[]): void {
      const later = notes;
      notes = taken;
      addAll(later);
    },
  };
}

async function sendUntilStored(
  store: StoreApi<SaveState>,
  send: () => Promise<void>,
  isStopped: () => boolean,
): Promise<boolean> {
  for (;;) {
    const state = store.getState();
    if (!hasUnsaved(state) && !state.sending) return true;
    if (cannotSend.has(state.phase) || isStopped()) return false;
    if (state.sending) await nextAnswer(store);
    else {
      await send();
      const { phase } = store.getState();
      if (phase === "failed" || phase === "offline") return false;
    }
  }
}

function nextAnswer(store: StoreApi<SaveState>): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.subscribe((state) => {
      if (state.sending) return;
      stop();
      resolve();
    });
  });
}
