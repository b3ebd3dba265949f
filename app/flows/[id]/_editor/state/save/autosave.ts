import { type Snapshot, sameSnapshot, type Theirs } from "./snapshot";

export type SavePhase = "saved" | "unsaved" | "saving" | "failed" | "offline" | "conflict" | "emptying";

/** `stored` is the server's state at `revision`. At most one save is in flight; later edits follow in one save. */
export interface SaveState {
  phase: SavePhase;
  revision: string;
  stored: Snapshot;
  current: Snapshot;
  sending: Snapshot | null;
  attempts: number;
  message: string;
  /** False: the same save would fail again, so only an edit or the user starts the next one. */
  retryable: boolean;
  theirs: Theirs | null;
  emptyAllowed: boolean;
  /** The unsaved changes come from an earlier visit: a merge is shown even without conflicts. */
  review: boolean;
}

export type SaveAnswer =
  | { type: "succeeded"; revision: string }
  /** `offline`: this computer has no network. */
  | { type: "failed"; message: string; retryable: boolean; offline?: boolean }
  | { type: "conflicted"; theirs: Theirs }
  /** The server keeps the stored flow until a person agrees to empty it. */
  | { type: "refused-empty" };

export type SaveEvent =
  | SaveAnswer
  | { type: "edited"; current: Snapshot }
  | { type: "sent" }
  /** The editor shows what an earlier visit left unsaved, which began with `base`. */
  | { type: "recovered"; base: Theirs; current: Snapshot }
  | { type: "emptying-agreed" }
  /** Ours goes over theirs, which becomes the base by name. */
  | { type: "kept-mine" }
  /** The editor shows theirs now. */
  | { type: "took-theirs" }
  /** Without unsaved changes, the editor now shows a newer revision. */
  | { type: "caught-up"; theirs: Theirs }
  /** Someone else has changed what is edited together: the server has it already. */
  | { type: "received"; current: Snapshot }
  /** From now on the flow is edited together: the server has `base`, the editor shows `current`. */
  | { type: "joined"; base: Theirs; current: Snapshot };

const saveDelayMs = 600;
/** Together with the request, edits are stored within two seconds of continuous typing. */
const longestWaitMs = 1_400;
const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

export const startSaving = (snapshot: Snapshot, revision: string): SaveState => ({
  phase: "saved",
  revision,
  stored: snapshot,
  current: snapshot,
  sending: null,
  attempts: 0,
  message: "",
  retryable: true,
  theirs: null,
  emptyAllowed: false,
  review: false,
});

export function reduceSave(state: SaveState, event: SaveEvent): SaveState {
  switch (event.type) {
    case "edited":
      return settle({ ...state, current: event.current });
    case "sent":
      return { ...state, phase: "saving", sending: state.current };
    case "succeeded":
      return settle({
        ...state,
        revision: event.revision,
        stored: state.sending ?? state.stored,
        sending: null,
        attempts: 0,
        message: "",
        emptyAllowed: false,
        review: false,
      });
    case "failed":
      return {
        ...state,
        phase: event.offline ? "offline" : "failed",
        sending: null,
        attempts: state.attempts + 1,
        message: event.message,
        retryable: event.retryable,
      };
    case "conflicted":
      return meetTheirs({ ...state, sending: null }, event.theirs);
    case "refused-empty":
      return { ...state, phase: "emptying", sending: null };
    case "emptying-agreed":
      return { ...state, phase: "unsaved", emptyAllowed: true };
    case "recovered":
      return { ...adopt(state, event.base, event.current), review: true };
    case "kept-mine":
      return state.theirs ? adopt(state, state.theirs, state.current) : state;
    case "took-theirs":
      return state.theirs ? adopt(state, state.theirs, state.theirs) : state;
    case "caught-up":
      return adopt(state, event.theirs, event.theirs);
    case "received":
      return receive(state, event.current);
    case "joined":
      return adopt(state, event.base, event.current);
  }
}

/** Where nothing else was unsaved, nothing is afterwards. */
function receive(state: SaveState, current: Snapshot): SaveState {
  const follow = (snapshot: Snapshot): Snapshot => (sameSnapshot(snapshot, state.current) ? current : snapshot);
  const { stored, sending } = state;
  return settle({ ...state, current, stored: follow(stored), sending: sending && follow(sending) });
}

function settle(state: SaveState): SaveState {
  if (state.phase === "conflict" || state.sending) return state;
  if (sameSnapshot(state.current, state.stored)) return { ...state, phase: "saved", attempts: 0, message: "" };
  return { ...state, phase: "unsaved", attempts: 0, message: "" };
}

/** The same content saved elsewhere is no conflict. */
function meetTheirs(state: SaveState, theirs: Theirs): SaveState {
  if (sameSnapshot(theirs, state.current)) return adopt(state, theirs, state.current);
  return { ...state, phase: "conflict", theirs };
}

function adopt(state: SaveState, theirs: Theirs, current: Snapshot): SaveState {
  const { revision, ...stored } = theirs;
  return settle({ ...state, phase: "unsaved", theirs: null, review: false, revision, stored, current });
}

/** Milliseconds, or null when there is nothing to send. `waited`: how long the oldest edit has been waiting. */
export function nextSaveIn(state: SaveState, waited = 0): number | null {
  if (state.sending) return null;
  if (state.phase === "unsaved") return Math.max(0, Math.min(saveDelayMs, longestWaitMs - waited));
  if ((state.phase === "failed" || state.phase === "offline") && state.retryable)
    return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.max(0, state.attempts - 1));
  return null;
}

export const hasUnsaved = (state: SaveState): boolean => !sameSnapshot(state.current, state.stored);
