import type { WrittenTexts } from "@/lib/core/live/live-document";
import { isAmongSent, type SentSnapshot, type Snapshot, sameSnapshot, type Theirs, toSent } from "./snapshot";

export type SavePhase =
  | "saved"
  | "unsaved"
  | "saving"
  | "failed"
  | "offline"
  | "conflict"
  | "emptying"
  /** The user can no longer change the flow: nothing is sent. */
  | "no-access";

/** Why a user can no longer change a flow that is open. */
export type AccessLoss = "signed-out" | "other-account" | "left-team" | "flow-deleted" | "read-only";

/** `stored` is the server's state at `revision`. At most one save is in flight; later edits follow in one save. */
export interface SaveState {
  phase: SavePhase;
  revision: string;
  stored: Snapshot;
  current: Snapshot;
  sending: Snapshot | null;
  /** What was sent since `revision` and not answered: one of them may be the newest revision. */
  unanswered: readonly SentSnapshot[];
  /**
   * Edits in the shared document since the last save that was answered. What was undone since may have arrived: the text alone
   * does not tell whether everything is saved.
   */
  sharedEdits: number;
  /** As many of them were there when `sending` was sent. */
  sentEdits: number;
  attempts: number;
  message: string;
  /** False: the same save would fail again, so only an edit or the user starts the next one. */
  retryable: boolean;
  theirs: Theirs | null;
  /** Texts that both may have begun with after `stored`: the server has one of them, and changes of others. */
  sharedTexts: readonly WrittenTexts[];
  emptyAllowed: boolean;
  /** Nothing is left in `current` of a flow that had several parts: a user has to agree before it is saved. */
  isEmptied: boolean;
  /** The unsaved changes come from an earlier visit: a merge is shown even without conflicts. */
  review: boolean;
  /** Of the phase `no-access`. */
  accessLoss: AccessLoss | null;
}

export type SaveAnswer =
  | { type: "succeeded"; revision: string }
  /**
   * `offline`: this computer has no network. `isTraceless`: nothing has to be known of what became of it. It was not sent, or
   * went through the shared document, in which letters have ids and are there once.
   */
  | { type: "failed"; message: string; retryable: boolean; offline?: boolean; isTraceless?: boolean }
  | { type: "conflicted"; theirs: Theirs; sharedTexts?: readonly WrittenTexts[] }
  /** The server keeps the stored flow until a person agrees to empty it. */
  | { type: "refused-empty" };

export type SaveEvent =
  | SaveAnswer
  /** `isShared`: in the document that is edited together. */
  | { type: "edited"; current: Snapshot; isEmptied?: boolean; isShared?: boolean }
  | { type: "sent" }
  /** By a request of its own, whose answer a page that is left does not wait for. */
  | { type: "sent-on-leave" }
  /**
   * The editor shows what an earlier visit left unsaved, which began with `base`; it had `sent` what was not answered.
   * `isShared`: some of it was done in the document that is edited together.
   */
  | { type: "recovered"; base: Theirs; current: Snapshot; sent?: readonly SentSnapshot[]; isShared?: boolean }
  | { type: "emptying-agreed" }
  /** Ours goes over theirs, which becomes the base by name. */
  | { type: "kept-mine" }
  /** Both are merged elsewhere. */
  | { type: "conflict-ended" }
  /** The editor shows theirs now. */
  | { type: "took-theirs" }
  /** Without unsaved changes, the editor now shows a newer revision. */
  | { type: "caught-up"; theirs: Theirs }
  /** Someone else has changed what is edited together: the server has it already. */
  | { type: "received"; current: Snapshot }
  /** From now on the flow is edited together: the server has `base`, the editor shows `current`. */
  | { type: "joined"; base: Theirs; current: Snapshot }
  | { type: "access-lost"; loss: AccessLoss }
  | { type: "access-regained" };

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
  unanswered: [],
  sharedEdits: 0,
  sentEdits: 0,
  attempts: 0,
  message: "",
  retryable: true,
  theirs: null,
  sharedTexts: [],
  emptyAllowed: false,
  isEmptied: false,
  review: false,
  accessLoss: null,
});

export function reduceSave(state: SaveState, event: SaveEvent): SaveState {
  if (state.phase === "no-access") return reduceWithoutAccess(state, event);
  switch (event.type) {
    case "edited":
      return settle(edit(state, event));
    case "sent":
      return { ...state, phase: "saving", sending: state.current, sentEdits: state.sharedEdits };
    case "sent-on-leave":
      return { ...state, unanswered: addSent(state.unanswered, state.current) };
    case "succeeded":
      return succeed(state, event.revision);
    case "failed":
      return {
        ...state,
        phase: event.offline ? "offline" : "failed",
        sending: null,
        unanswered: addUnanswered(state, event),
        attempts: state.attempts + 1,
        message: event.message,
        retryable: event.retryable,
      };
    case "conflicted":
      return meetTheirs({ ...state, sending: null, sharedTexts: event.sharedTexts ?? [] }, event.theirs);
    case "refused-empty":
      return { ...state, phase: "emptying", sending: null };
    case "emptying-agreed":
      return { ...state, phase: "unsaved", emptyAllowed: true };
    case "recovered":
      return recover(state, event);
    case "kept-mine":
      // Whoever keeps an empty flow has not agreed to it yet.
      return state.theirs ? adopt(state, state.theirs, state.current, { isEmptied: state.isEmptied }) : state;
    case "conflict-ended":
      return state.phase === "conflict" ? settle({ ...state, phase: "unsaved", theirs: null }) : state;
    case "took-theirs":
      return state.theirs ? adopt(state, state.theirs, state.theirs) : state;
    case "caught-up":
      return adopt(state, event.theirs, event.theirs);
    case "received":
      return receive(state, event.current);
    case "joined":
      return adopt(state, event.base, event.current);
    case "access-lost":
      return { ...state, phase: "no-access", accessLoss: event.loss, theirs: null };
    case "access-regained":
      return state;
  }
}

/** Keeps what the user types. Of a save that was sent before the answer still counts. */
function reduceWithoutAccess(state: SaveState, event: SaveEvent): SaveState {
  switch (event.type) {
    case "edited":
      return edit(state, event);
    case "received":
      return { ...state, current: event.current };
    case "access-lost":
      return { ...state, accessLoss: event.loss };
    case "access-regained":
      return settle({ ...state, phase: "unsaved", accessLoss: null });
    case "succeeded":
      return { ...state, revision: event.revision, stored: state.sending ?? state.stored, sending: null };
    case "failed":
      return { ...state, sending: null, unanswered: addUnanswered(state, event) };
    case "conflicted":
    case "refused-empty":
      return { ...state, sending: null };
    default:
      return state;
  }
}

const succeed = (state: SaveState, revision: string): SaveState =>
  settle({
    ...state,
    revision,
    stored: state.sending ?? state.stored,
    sending: null,
    unanswered: [],
    sharedEdits: state.sharedEdits - state.sentEdits,
    sentEdits: 0,
    attempts: 0,
    message: "",
    emptyAllowed: false,
    // What was typed during the save has been looked at before.
    isEmptied: state.isEmptied && !state.emptyAllowed,
    review: false,
  });

const edit = (state: SaveState, event: SaveEvent & { type: "edited" }): SaveState => ({
  ...state,
  current: event.current,
  isEmptied: event.isEmptied === true,
  sharedEdits: state.sharedEdits + (event.isShared ? 1 : 0),
});

/** Where nothing else was unsaved, nothing is afterwards. */
function receive(state: SaveState, current: Snapshot): SaveState {
  const follow = (snapshot: Snapshot): Snapshot => (sameSnapshot(snapshot, state.current) ? current : snapshot);
  const { stored, sending } = state;
  return settle({ ...state, current, stored: follow(stored), sending: sending && follow(sending) });
}

/** Nothing was agreed to on the last visit. */
function recover(
  state: SaveState,
  { base, current, sent = [], isShared }: SaveEvent & { type: "recovered" },
): SaveState {
  const { isEmptied } = state;
  return adopt(state, base, current, { review: true, isEmptied, unanswered: sent, sharedEdits: isShared ? 1 : 0 });
}

function settle(state: SaveState): SaveState {
  if (state.phase === "conflict" || state.sending) return state;
  if (!hasUnsaved(state)) return { ...state, phase: "saved", attempts: 0, message: "" };
  const phase = state.isEmptied && !state.emptyAllowed ? "emptying" : "unsaved";
  return { ...state, phase, attempts: 0, message: "" };
}

const maxUnanswered = 20;

function addUnanswered(
  { unanswered, sending }: SaveState,
  { isTraceless = false }: SaveAnswer & { type: "failed" },
): readonly SentSnapshot[] {
  return isTraceless || !sending ? unanswered : addSent(unanswered, sending);
}

/** Of many the first and the last ones: over one revision the server stores what arrives first. */
function addSent(unanswered: readonly SentSnapshot[], sent: Snapshot): readonly SentSnapshot[] {
  if (isAmongSent(unanswered, sent)) return unanswered;
  const all = [...unanswered, toSent(sent)];
  return all.length > maxUnanswered ? all.toSpliced(maxUnanswered / 2, 1) : all;
}

/** The same content saved elsewhere is no conflict, and neither is what was saved here without an answer. */
function meetTheirs(state: SaveState, theirs: Theirs): SaveState {
  if (sameSnapshot(theirs, state.current)) return adopt(state, theirs, state.current);
  if (isAmongSent(state.unanswered, theirs)) {
    const { isEmptied, review, unanswered } = state;
    return adopt(state, theirs, state.current, { isEmptied, review, unanswered });
  }
  return { ...state, phase: "conflict", theirs };
}

function adopt(state: SaveState, theirs: Theirs, current: Snapshot, known: Partial<SaveState> = {}): SaveState {
  const { revision, ...stored } = theirs;
  const counts = { unanswered: [], sharedEdits: 0, sentEdits: 0 };
  const next = { ...state, ...counts, theirs: null, sharedTexts: [], review: false, isEmptied: false, ...known };
  return settle({ ...next, phase: "unsaved", revision, stored, current });
}

/** Milliseconds, or null when there is nothing to send. `waited`: how long the oldest edit has been waiting. */
export function nextSaveIn(state: SaveState, waited = 0): number | null {
  if (state.sending) return null;
  if (state.phase === "unsaved") return Math.max(0, Math.min(saveDelayMs, longestWaitMs - waited));
  if ((state.phase === "failed" || state.phase === "offline") && state.retryable)
    return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.max(0, state.attempts - 1));
  return null;
}

/** Also where everything was undone that was sent without an answer: it may be stored. */
export const hasUnsaved = ({ current, stored, unanswered, sharedEdits }: SaveState): boolean =>
  unanswered.length > 0 || sharedEdits > 0 || !sameSnapshot(current, stored);
