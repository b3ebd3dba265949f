import { createStore, type StoreApi } from "zustand/vanilla";
import { toCanvasActions } from "@/app/_canvas/state/flow-state";
import type { Offer } from "@/lib/core/check/offer";
import type { Edit, Layout } from "@/lib/core/flow/edit";
import type { Problem } from "@/lib/core/flow/problem";
import { toMinimalChange } from "@/lib/core/flow/text-change";
import type { TextChange } from "@/lib/core/flow/text-range";
import type { EntryDescription } from "@/lib/core/history/describe-edits";
import {
  describeRedo,
  describeUndo,
  type History,
  recordEntry,
  redoEntry,
  undoEntry,
} from "@/lib/core/history/history";
import type { FlowReading } from "@/lib/core/source/read/source-document";
import { getEditing } from "../editing/editing";
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
import { findWrittenNote, followBurst, type TypingBurst, typingWords } from "./typing";

export type { EditorState, LastStep } from "./editor-transitions";

export type Editor = ReturnType<typeof createEditor>;

/** Longer texts are read when the user pauses. */
const readAtOnceLength = 50_000;
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
  let burst: TypingBurst = { number: 0, end: -1 };

  const travel = (how: "undid" | "redid"): void => store.setState(toTravelled(readPending(), how, offer));

  const show = (nextText: string, nextLayout: Layout, history: History): void =>
    store.setState(showMoment(readPending(), { text: nextText, layout: nextLayout, selection: [] }, history, offer));

  return {
    store,
    ...toCanvasActions(store),
    /** What was read elsewhere can be changed from now on. */
    open: (): void => store.setState((state) => locateReading(state, offer)),
    typeText(next: string): void {
      const state = store.getState();
      if (next === state.text) return;
      burst = followBurst(burst, toMinimalChange(state.text, next));
      const history = record(state, { typing: true, key: String(burst.number) });
      store.setState({ text: next, change: null, history, step: null });
      if (next.length <= readAtOnceLength) readPending();
      else readLater();
    },
    /** One undo step; all edits or none. Returns the problem of the first impossible edit. */
    dispatch(edits: readonly Edit[]): Problem | null {
      const state = readPending();
      const result = applyEdits(state, edits, offer);
      if (!result.ok) return result.problem;
      const { kind, step } = describeStep(edits);
      store.setState({ ...result.state, history: record(state, kind), step });
      result.notices.forEach(onNotice);
      return null;
    },
    /** One undo step; of overlapping fixes only the first is applied. */
    applyFix: (...problems: Problem[]): void => store.setState(toFixed(readPending(), problems, offer)),
    /** One undo step; `words`: what it did, where the user asked for it. */
    replace: (nextText: string, nextLayout: Layout, words?: EntryDescription): void =>
      store.setState(toReplaced(readPending(), { text: nextText, layout: nextLayout, words }, offer)),
    /** Shows what someone else has changed: no step of this user's history, which is about the same text afterwards. */
    receive(changes: readonly TextChange[], nextLayout: Layout): void {
      const state = readPending();
      burst = { ...burst, end: getEditing().moveOffset(burst.end, changes, "foreign") };
      store.setState(receiveChange(state, { changes, layout: nextLayout }, offer));
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
  const history = record(state, { typing: false, words });
  return { ...result.state, history, step: { how: "did", words } };
}

function toReplaced(state: EditorState, { words, ...next }: Replacement, offer: Offer): EditorState {
  const history = record(state, { typing: false, ...(words && { words }) });
  const shown = showMoment(state, { ...next, selection: [] }, history, offer);
  return words ? { ...shown, step: { how: "did", words } } : shown;
}

const record = (state: EditorState, kind: Omit<Parameters<typeof recordEntry>[2], "at">): History =>
  recordEntry(state.history, toMoment(state), { ...kind, at: Date.now() });

function toTravelled(state: EditorState, how: "undid" | "redid", offer: Offer): EditorState {
  const [findTarget, findWords] = how === "undid" ? [undoEntry, describeUndo] : [redoEntry, describeRedo];
  const target = findTarget(state.history, toMoment(state));
  const step: LastStep = { how, words: findWords(state.history) ?? typingWords };
  return target ? { ...showMoment(state, target.moment, target.history, offer), step } : state;
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
