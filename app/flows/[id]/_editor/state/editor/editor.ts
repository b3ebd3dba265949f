import { createStore, type StoreApi } from "zustand/vanilla";
import { toCanvasActions } from "@/app/_canvas/state/flow-state";
import type { Offer } from "@/lib/core/check/offer";
import type { Edit, Layout } from "@/lib/core/flow/edit";
import type { Problem } from "@/lib/core/flow/problem";
import { composeChanges } from "@/lib/core/flow/rebase/compose-changes";
import { diffHunks } from "@/lib/core/flow/rebase/diff-hunks";
import { toMinimalChange } from "@/lib/core/flow/text-change";
import type { TextChange } from "@/lib/core/flow/text-range";
import type { EntryDescription } from "@/lib/core/history/describe-edits";
import {
  describeRedo,
  describeUndo,
  type EntryOrigin,
  type History,
  moveForeign,
  recordEntry,
  redoEntry,
  undoEntry,
} from "@/lib/core/history/history";
import type { FlowReading } from "@/lib/core/source/read/source-document";
import { getEditing, toDocument } from "../editing/editing";
import {
  applyEdits,
  applyFixes,
  type EditorState,
  type LastStep,
  locateReading,
  readPendingText,
  receiveChange,
  rereadText,
  showMoment,
  startState,
  toMoment,
} from "./editor-transitions";
import {
  applyTogether,
  createTogether,
  describeTyping,
  isDisconnected,
  isReplacement,
  isWorse,
  joinNone,
  type Together,
} from "./together";
import { type Bursts, createBursts, findWrittenNote, typingWords } from "./typing";

export type { EditorState, LastStep } from "./editor-transitions";

export type Editor = ReturnType<typeof createEditor>;

/** Longer texts are read when the user pauses. */
export const readAtOnceLength = 50_000;
const readDelayMs = 50;

/** `onNotice` receives side effects of edits, as sentences. */
export function createEditor(
  reading: FlowReading,
  layout: Layout,
  offer: Offer,
  onNotice: (message: string) => void = () => {},
) {
  const store = createStoreOf(startState(reading, layout));
  const { readPending, readLater, stop } = createPendingReader(store, offer);
  const together = createTogether(store, { readPending, offer });
  const bursts = createBursts();
  const parts = { store, readPending, offer, onNotice, together, bursts };
  const travel = createTravel(parts);

  const show = (nextText: string, nextLayout: Layout, history: History): void =>
    store.setState(showMoment(readPending(), { text: nextText, layout: nextLayout, selection: [] }, history, offer));

  return {
    store,
    ...toCanvasActions(store),
    /** What was read elsewhere can be changed from now on. */
    open: (): void => store.setState((state) => locateReading(state, offer)),
    /** `changes`: what was typed where, while that is known. */
    typeText(next: string, changes?: readonly TextChange[]): void {
      const state = store.getState();
      if (next === state.text) return;
      const key = String(bursts.follow(toMinimalChange(state.text, next)));
      const history = record(state, { typing: true, key }, { next, changes: changes ?? null });
      const change = changes ? { before: state.text, changes, isTyped: true } : null;
      store.setState({ text: next, change, history, step: null });
      if (next.length <= readAtOnceLength) readPending();
      else readLater();
    },
    /** One undo step; all edits or none. Returns the problem of the first impossible edit. */
    dispatch: createDispatch(parts),
    setTogether: together.set,
    repair: together.repair,
    /** One undo step; of overlapping fixes only the first is applied. */
    applyFix: (...problems: Problem[]): void => store.setState(toFixed(readPending(), problems, offer)),
    /** One undo step; `words`: what it did, where the user asked for it. */
    replace: (nextText: string, nextLayout: Layout, words?: EntryDescription): void =>
      store.setState(toReplaced(readPending(), { text: nextText, layout: nextLayout, words }, offer)),
    /**
     * Shows what someone else has changed: no step of this user's history, which is about the same text afterwards.
     * `isShared`: everyone makes the same change.
     */
    receive(changes: readonly TextChange[], nextLayout: Layout, isShared = false): void {
      const state = readPending();
      bursts.move(changes);
      const next = receiveChange(state, { changes, layout: nextLayout }, offer);
      store.setState(isShared ? { ...next, change: { before: state.text, changes, isShared } } : next);
    },
    /** Restores text and history after a reload, without a step of its own. */
    restore: show,
    undo: () => travel("undid"),
    redo: () => travel("redid"),
    /** Reads the text again after the offer has changed, without a step of its own. */
    recheck: (): void => store.setState(rereadText(readPending(), offer)),
    stop,
  };
}

interface EditorParts {
  store: StoreApi<EditorState>;
  readPending(): EditorState;
  offer: Offer;
  onNotice(message: string): void;
  together: Together;
  bursts: Bursts;
}

function createTravel({ store, readPending, offer, onNotice, together }: EditorParts) {
  return (how: "undid" | "redid"): void => {
    const state = readPending();
    const travelled = toTravelled(state, how, offer);
    const isLost = (together.isOn() || state.history.foreign.length > 0) && harmsOthers(travelled, state);
    store.setState(isLost ? { history: getEditing().dropEntry(state.history, toMoment(state), how) } : travelled);
    const verb = how === "undid" ? "undone" : "redone";
    if (isLost) onNotice(`This change cannot be ${verb} any more: others have changed the same text.`);
    else if (together.isOn()) together.repair(joinNone);
  };
}

/** Whether a step makes the file worse, or moves what others wrote into another place. */
function harmsOthers(travelled: EditorState, state: EditorState): boolean {
  // What someone typed may have had mistakes before.
  const isEdit = travelled.step?.words !== typingWords;
  if (isWorse(travelled, state) || (isEdit && isDisconnected(travelled, state))) return true;
  const documents = [toDocument(state.document), toDocument(travelled.document)] as const;
  return !getEditing().keepsPlaces(documents, travelled.change?.changes ?? [], state.history.foreign);
}

function createDispatch({ store, readPending, offer, onNotice, together, bursts }: EditorParts) {
  return (edits: readonly Edit[]): Problem | null => {
    together.prepare(edits);
    const state = readPending();
    // Several edits at once are no typing: a text that they clear makes room for another field.
    const isTyping = together.isOn() && edits.length === 1;
    const result = applyEdits(state, edits, offer, isTyping ? applyTogether : undefined);
    if (!result.ok) return result.problem;
    const typed = together.isOn() ? describeTyping(state, edits) : null;
    const burst = typed ? bursts.follow(toMinimalChange(state.text, result.state.text)) : 0;
    const { kind, step } = typed
      ? { ...typed, kind: { ...typed.kind, key: `${typed.kind.key} ${burst}` } }
      : describeStep(edits);
    const changes = joinChanges([...result.steps, result.state]);
    const change = isReplacement(edits) && changes ? { before: state.text, changes } : result.state.change;
    // Others receive one change after another, but what takes the place of something else with it.
    if (together.isOn() && !isReplacement(edits)) for (const between of result.steps) store.setState(between);
    store.setState({
      ...result.state,
      change,
      history: record(state, kind, { next: result.state.text, changes }),
      step,
    });
    result.notices.forEach(onNotice);
    return null;
  };
}

/** Apart, so that the store keeps no reference to the reading. */
const createStoreOf = (firstState: EditorState) => createStore<EditorState>(() => firstState);

interface Replacement {
  text: string;
  layout: Layout;
  words: EntryDescription | undefined;
}

function toFixed(state: EditorState, problems: readonly Problem[], offer: Offer): EditorState {
  const result = applyFixes(state, problems, offer);
  if (!result) return state;
  const { words } = result;
  const change = { next: result.state.text, changes: joinChanges([result.state]) };
  const history = record(state, { typing: false, words }, change);
  return { ...result.state, history, step: { how: "did", words } };
}

function toReplaced(state: EditorState, { words, ...next }: Replacement, offer: Offer): EditorState {
  const history = record(state, { typing: false, ...(words && { words }) }, { next: next.text, changes: null });
  const shown = showMoment(state, { ...next, selection: [] }, history, offer);
  return words ? { ...shown, step: { how: "did", words } } : shown;
}

type Changes = readonly TextChange[] | null;

function record(
  state: EditorState,
  kind: Omit<EntryOrigin, "at">,
  { next, changes }: { next: string; changes: Changes },
): History {
  const history = recordEntry(state.history, toMoment(state), { ...kind, at: Date.now() }, changes);
  return history.foreign.length === 0 ? history : moveForeign(history, changes ?? diffHunks(state.text, next));
}

/** What led to the last of some states, each of which was made of the one before; null: it is not known. */
const joinChanges = ([first, ...others]: readonly EditorState[]): Changes =>
  others.reduce<Changes>(
    (joined, { change }) => joined && change && composeChanges(joined, change.changes),
    first?.change?.changes ?? null,
  );

function toTravelled(state: EditorState, how: "undid" | "redid", offer: Offer): EditorState {
  const [findTarget, findWords] = how === "undid" ? [undoEntry, describeUndo] : [redoEntry, describeRedo];
  const target = findTarget(state.history, toMoment(state));
  const step: LastStep = { how, words: findWords(state.history) ?? typingWords };
  if (!target) return state;
  const { moment, history, changes } = target;
  const change = changes && { before: state.text, changes };
  return { ...showMoment(state, moment, history, offer, change), step };
}

function createPendingReader(store: StoreApi<EditorState>, offer: Offer) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const readPending = (): EditorState => {
    stop();
    store.setState(readPendingText(store.getState(), offer));
    return store.getState();
  };
  const readLater = (): void => {
    stop();
    timer = setTimeout(readPending, readDelayMs);
  };
  return { readPending, readLater, stop };
}

/** Typing on a note without a pause is one step and is not announced. */
function describeStep(edits: readonly Edit[]): {
  kind: { typing: boolean; words: EntryDescription; key?: string };
  step: LastStep | null;
} {
  const words = getEditing().describeEdits(edits);
  const note = findWrittenNote(edits);
  if (note !== null) return { kind: { typing: true, words, key: `note ${note}` }, step: null };
  return { kind: { typing: false, words }, step: { how: "did", words } };
}
