import { createStore, type StoreApi } from "zustand/vanilla";
import { type SelectionActions, toSelectionActions } from "@/app/_canvas/state/flow-state";
import type { Offer } from "@/lib/core/check/offer";
import type { Edit, Layout } from "@/lib/core/flow/edit";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { listNotes } from "@/lib/core/flow/note";
import type { Problem } from "@/lib/core/flow/problem";
import { applyChanges, toMinimalChange } from "@/lib/core/flow/text-change";
import type { TextChange } from "@/lib/core/flow/text-range";
import { describeEdits } from "@/lib/core/history/describe-edits";
import {
  type History,
  type Moment,
  recordStep,
  redoStep,
  redoWords,
  undoStep,
  undoWords,
} from "@/lib/core/history/history";
import { type Arrangement, arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { applyEdit } from "@/lib/core/source/apply-edit";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { readSource } from "@/lib/core/source/read-source";
import { type EditorState, startState } from "./editor-state";
import { findRename, followRename } from "./follow-rename";
import { type Burst, findWritten, followBurst, typingWords } from "./typing";

export type { EditorState, LastStep } from "./editor-state";

export interface Editor extends SelectionActions {
  store: StoreApi<EditorState>;
  typeText(text: string): void;
  /** One undo step; all edits or none. Returns the problem of the first impossible edit. */
  dispatch(edits: readonly Edit[]): Problem | null;
  /** One undo step; of overlapping fixes only the first is applied. */
  applyFix(...problems: Problem[]): void;
  /** One undo step. */
  replace(text: string, layout: Layout): void;
  /** Restores text and history after a reload, without a step of its own. */
  restore(text: string, layout: Layout, history: History): void;
  undo(): void;
  redo(): void;
  /** Reads the text again after the offer has changed, without a step of its own. */
  recheck(): void;
  stop(): void;
}

/** Longer texts are read when the user pauses. */
const readAtOnceLength = 50_000;
const readDelayMs = 50;

/** `onNotice` receives side effects of edits, as sentences. */
export function createEditor(
  text: string,
  layout: Layout,
  offer: Offer,
  onNotice: (message: string) => void = () => {},
): Editor {
  const store = createStore<EditorState>(() => startState(text, layout, offer));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let burst: Burst = { number: 0, end: -1 };

  /** Reads the current text if that is still pending. */
  const catchUp = (): EditorState => {
    clearTimeout(timer);
    const state = store.getState();
    if (state.document.text !== state.text)
      store.setState(follow(state, readSource(state.text, offer, state.document)));
    return store.getState();
  };
  const move = (how: "undid" | "redid"): void => {
    const state = catchUp();
    const moved = (how === "undid" ? undoStep : redoStep)(state.history, toMoment(state));
    const words = (how === "undid" ? undoWords : redoWords)(state.history) ?? typingWords;
    if (moved) store.setState({ ...showMoment(state, moved.moment, moved.history, offer), step: { how, words } });
  };

  return {
    store,
    ...toSelectionActions(store),
    typeText(next) {
      const state = store.getState();
      if (next === state.text) return;
      burst = followBurst(burst, toMinimalChange(state.text, next));
      const kind = { typing: true, at: Date.now(), key: String(burst.number) };
      const history = recordStep(state.history, toMoment(state), kind);
      store.setState({ text: next, change: null, history, step: null });
      clearTimeout(timer);
      if (next.length <= readAtOnceLength) catchUp();
      else timer = setTimeout(catchUp, readDelayMs);
    },
    dispatch(edits) {
      const state = catchUp();
      const result = applyAll(state, edits, offer);
      if (!result.ok) return result.problem;
      const words = describeEdits(edits);
      const note = findWritten(edits);
      const kind = { typing: note !== null, at: Date.now(), words, ...(note === null ? {} : { key: `note ${note}` }) };
      const history = recordStep(state.history, toMoment(state), kind);
      store.setState({ ...result.state, history, step: note === null ? { how: "did", words } : null });
      result.notices.forEach(onNotice);
      return null;
    },
    applyFix(...problems) {
      const state = catchUp();
      const fixable = problems.filter((problem) => problem.fix && state.problems.includes(problem));
      const changes = joinFixes(fixable);
      if (changes.length === 0) return;
      const fixed = applyChanges(state.text, changes);
      const done = fixable.length === 1 ? (fixable[0]?.fix?.title ?? "") : `Fixed ${fixable.length} problems`;
      const words = { name: "fix", done };
      const history = recordStep(state.history, toMoment(state), { typing: false, at: Date.now(), words });
      const change = { before: state.text, changes };
      const step = { how: "did", words } as const;
      const read = readSource(fixed, offer, state.document);
      store.setState({ ...follow({ ...state, text: fixed }, read), change, history, step });
    },
    replace(nextText, nextLayout) {
      const state = catchUp();
      const history = recordStep(state.history, toMoment(state), { typing: false, at: Date.now() });
      store.setState(showMoment(state, { text: nextText, layout: nextLayout, selection: [] }, history, offer));
    },
    restore(nextText, nextLayout, history) {
      const state = catchUp();
      store.setState(showMoment(state, { text: nextText, layout: nextLayout, selection: [] }, history, offer));
    },
    undo: () => move("undid"),
    redo: () => move("redid"),
    recheck() {
      const state = catchUp();
      store.setState(follow(state, readSource(state.text, offer, state.document)));
    },
    stop: () => clearTimeout(timer),
  };
}

function joinFixes(problems: readonly Problem[]): TextChange[] {
  const joined: TextChange[] = [];
  for (const { fix } of problems) {
    const changes = fix?.changes ?? [];
    const meets = changes.some(({ from, to }) => joined.some((earlier) => from <= earlier.to && earlier.from <= to));
    if (!meets) joined.push(...changes);
  }
  return joined;
}

function follow(state: EditorState, document: SourceDocument): EditorState {
  const { flow, problems } = document;
  const rename = findRename(state.flow, flow);
  const { layout, selection } = rename ? followRename(state, rename) : state;
  return settle({ ...state, document, problems, flow, layout, selection }, state);
}

/** Keeps the arrangement when nothing that it depends on has changed. */
function settle(state: EditorState, before: EditorState): EditorState {
  const arrangement = standsAs(state, before) ? before.arrangement : arrangeFlow(state.flow, state.layout);
  const keys = new Set([...arrangement.nodes, ...listNotes(state.layout.notes)].map(({ key }) => key));
  const selection = state.selection.every((key) => keys.has(key))
    ? state.selection
    : state.selection.filter((key) => keys.has(key));
  const edge = arrangement.edges.some((link) => link.key === state.edge) ? state.edge : null;
  return { ...state, arrangement, selection, edge };
}

const standsAs = (a: EditorState, b: EditorState): boolean =>
  a.flow === b.flow && a.layout.pins === b.layout.pins && a.layout.direction === b.layout.direction;

const toMoment = ({ text, layout, selection }: EditorState): Moment => ({ text, layout, selection });

function showMoment(state: EditorState, moment: Moment, history: History, offer: Offer): EditorState {
  const { text, layout, selection } = moment;
  return settle({ ...state, ...read(state, text, offer), layout, selection, change: null, edge: null, history }, state);
}

function read(state: EditorState, text: string, offer: Offer) {
  const document = text === state.document.text ? state.document : readSource(text, offer, state.document);
  return { text, document, problems: document.problems, flow: document.flow };
}

type Applied = { ok: true; state: EditorState; notices: string[] } | { ok: false; problem: Problem };

function applyAll(start: EditorState, edits: readonly Edit[], offer: Offer): Applied {
  let state = start;
  const notices: string[] = [];
  for (const edit of edits) {
    const result = applyEdit(state.document, state.layout, edit);
    if (!result.ok) return result;
    const { changes, layout, select, notice } = result;
    const text = applyChanges(state.text, changes);
    const change = edits.length === 1 ? { before: state.text, changes } : null;
    state = settle({ ...state, ...read(state, text, offer), layout, change }, state);
    if (select) state = { ...state, selection: findKeys(state.arrangement, select) };
    if (notice) notices.push(notice);
  }
  return { ok: true, state, notices };
}

function findKeys({ nodes }: Arrangement, names: readonly string[]): NodeKey[] {
  const firsts = new Map<string, NodeKey>();
  for (const { name, key } of nodes) if (!firsts.has(name)) firsts.set(name, key);
  return names.flatMap((name) => firsts.get(name) ?? []);
}
