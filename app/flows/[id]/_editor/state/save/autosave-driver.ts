import { createStore, type StoreApi } from "zustand/vanilla";
import { hasUnsaved, nextSaveIn, reduceSave, type SaveEvent, type SaveState, startSaving } from "./autosave";
import type { requestCurrent, requestSave } from "./save-request";
import type { Snapshot, Theirs } from "./snapshot";

export type Autosave = ReturnType<typeof createAutosave>;

export interface SaveWire {
  save: typeof requestSave;
  current: typeof requestCurrent;
  /** Whether saves wait, and the one that was begun has not been sent. */
  isHeld?(): boolean;
}

/** Saves begun while an editor closed, by flow: an editor that opens the flow again waits for them. */
const savesOnLeave = new Map<string, Promise<unknown>>();

/** Sends the snapshots of a flow when `autosave.ts` wants it, one request at a time. */
export function createAutosave(flowId: string, snapshot: Snapshot, revision: string, wire: SaveWire) {
  const store = createStore<SaveState>(() => startSaving(snapshot, revision));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitingSince: number | null = null;
  const changes = createChangeNotes();

  const apply = (event: SaveEvent): void => {
    store.setState(reduceSave(store.getState(), event));
    clearTimeout(timer);
    const isWaiting = store.getState().phase === "unsaved";
    waitingSince = isWaiting ? (waitingSince ?? Date.now()) : null;
    const delay = nextSaveIn(store.getState(), isWaiting && waitingSince !== null ? Date.now() - waitingSince : 0);
    if (delay !== null) timer = setTimeout(send, delay);
  };

  const send = async (): Promise<void> => {
    apply({ type: "sent" });
    const { sending, revision: baseRevision, emptyAllowed } = store.getState();
    if (!sending) return;
    const summary = changes.toSummary();
    const answer = await wire.save({ flowId, snapshot: sending, baseRevision, allowEmpty: emptyAllowed, summary });
    if (answer.type === "succeeded") changes.forget(summary);
    apply(answer);
  };

  return {
    store,
    apply,
    /** Notes what an edit did, for the next version. */
    describe: changes.add,
    /** Resolves to true when everything is stored. */
    flush: (): Promise<boolean> => sendUntilStored(store, send),
    /** In a request that outlives the page. */
    flushOnLeave(): void {
      const state = store.getState();
      if ((state.sending && !wire.isHeld?.()) || !hasUnsaved(state) || state.phase === "conflict") return;
      const { current, revision: baseRevision } = state;
      const summary = changes.toSummary();
      const lastSave = wire.save({
        flowId,
        snapshot: current,
        baseRevision,
        allowEmpty: false,
        summary,
        keepalive: true,
      });
      savesOnLeave.set(flowId, lastSave);
      void lastSave.then(() => savesOnLeave.delete(flowId));
    },
    /** Null while there are unsaved changes here. */
    async findNewer(): Promise<Theirs | null> {
      await savesOnLeave.get(flowId);
      const theirs = await wire.current(flowId);
      const state = store.getState();
      const idle = state.phase === "saved" && !state.sending && !hasUnsaved(state);
      return idle && theirs !== null && theirs.revision !== state.revision ? theirs : null;
    },
    stop: (): void => clearTimeout(timer),
  };
}

const mostChanges = 50;

/** What was done since the last save, each description once. */
function createChangeNotes() {
  let notes: readonly string[] = [];
  return {
    add(change: string): void {
      if (!notes.includes(change)) notes = [...notes, change].slice(-mostChanges);
    },
    toSummary: (): string => notes.join("\n"),
    /** Those of a summary that was stored. */
    forget(summary: string): void {
      const stored = new Set(summary.split("\n"));
      notes = notes.filter((note) => !stored.has(note));
    },
  };
}

async function sendUntilStored(store: StoreApi<SaveState>, send: () => Promise<void>): Promise<boolean> {
  for (;;) {
    const state = store.getState();
    if (!hasUnsaved(state) && !state.sending) return true;
    if (state.phase === "conflict" || state.phase === "emptying") return false;
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
