import { type FlowState, startFlowState } from "@/app/_canvas/state/flow-state";
import type { Offer } from "@/lib/core/check/offer";
import { type Edit, type Layout, movePins } from "@/lib/core/flow/edit";
import { formatCount } from "@/lib/core/flow/format-count";
import { keyNames, type NodeKey } from "@/lib/core/flow/node-key";
import { isNoteKey, listNotes } from "@/lib/core/flow/note";
import type { Problem } from "@/lib/core/flow/problem";
import { applyChanges } from "@/lib/core/flow/text-change";
import type { TextChange } from "@/lib/core/flow/text-range";
import type { EntryDescription } from "@/lib/core/history/describe-edits";
import { emptyHistory, type History, type Moment } from "@/lib/core/history/history";
import { type Arrangement, arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { adaptToLayout, isSameArrangement, keepArrangement } from "@/lib/core/layout/choose-arrangement";
import { type FlowReading, isSourceDocument, type SourceDocument } from "@/lib/core/source/read/source-document";
import { getEditing, toDocument } from "../editing/editing";
import { type DeclarationIds, followNames, renameAll, renameKeys } from "./follow-renames";

export interface EditorState extends FlowState {
  /** How `text` resulted from the text before, while that is known exactly: lets the text pane keep its caret. */
  change: KnownChange | null;
  history: History;
  /** The last edit, undo or redo; null while the user types. */
  step: LastStep | null;
  ids: DeclarationIds;
}

export interface KnownChange {
  before: string;
  changes: readonly TextChange[];
  /** Others may make the very same change at the same time. */
  isShared?: boolean;
  /** A user typed them into the text. */
  isTyped?: boolean;
  /** No edit of this user's. */
  isReceived?: boolean;
}

export interface LastStep {
  how: "did" | "undid" | "redid";
  words: EntryDescription;
}

export const startState = (reading: FlowReading, layout: Layout): EditorState => ({
  ...startFlowState(reading, layout),
  change: null,
  history: emptyHistory,
  step: null,
  ids: new Map(),
});

export const toMoment = ({ text, layout, selection }: EditorState): Moment => ({ text, layout, selection });

export const readPendingText = (state: EditorState, offer: Offer): EditorState =>
  state.document.text === state.text ? state : rereadText(state, offer);

/** Positions and selection follow a declared name that was renamed in the text. */
export function rereadText(state: EditorState, offer: Offer): EditorState {
  const document = readAfter(state.document, state.text, offer);
  const { flow, problems } = document;
  const { renames, ids } = followNames(state, { document, flow, change: state.change }, true);
  const layout = renames.length === 0 ? state.layout : movePins(state.layout, (names) => renameAll(names, renames));
  const selection = renameKeys(state.selection, renames);
  return arrange({ ...state, document, problems, flow, layout, selection, ids }, state);
}

/** Someone else's change: the selection stays, also where its nodes were renamed, or moved into another part of the flow. */
export function receiveChange(
  state: EditorState,
  { changes, layout }: { changes: readonly TextChange[]; layout: Layout },
  offer: Offer,
): EditorState {
  const text = applyChanges(state.text, changes);
  const history = getEditing().rebaseHistory(state.history, toMoment(state), { changes, layout });
  const change = { before: state.text, changes, isReceived: true };
  const next = { ...state, ...readText(state, text, offer), layout, history, change };
  const { renames, ids } = followNames(state, next, false);
  const selection = renameKeys(state.selection, renames);
  const shown = arrange({ ...next, selection, ids }, state);
  return shown.selection.length === selection.length ? shown : { ...shown, selection: followMoved(shown, selection) };
}

/** A node that is elsewhere now is found by its name. */
function followMoved({ arrangement, selection }: EditorState, keys: readonly NodeKey[]): NodeKey[] {
  const left = new Set(selection);
  const followed = keys.flatMap((key) => {
    if (left.has(key)) return key;
    return isNoteKey(key) ? [] : findKeys(arrangement, keyNames(key).slice(-1));
  });
  return [...new Set(followed)];
}

export function showMoment(
  state: EditorState,
  moment: Moment,
  history: History,
  offer: Offer,
  change: KnownChange | null = null,
): EditorState {
  const { text, layout, selection } = moment;
  const next = { ...state, ...readText(state, text, offer), layout, selection, change, edge: null, history };
  return arrange({ ...next, ids: followNames(state, next, true).ids }, state);
}

type AppliedEdits =
  | { ok: true; state: EditorState; steps: readonly EditorState[]; notices: string[] }
  | { ok: false; problem: Problem };
type ApplyEdit = ReturnType<typeof getEditing>["applyEdit"];

/** Each edit applies to the result of the one before; `steps`: the states in between. */
export function applyEdits(
  start: EditorState,
  edits: readonly Edit[],
  offer: Offer,
  applyEdit: ApplyEdit = getEditing().applyEdit,
): AppliedEdits {
  let state = start;
  const steps: EditorState[] = [];
  const notices: string[] = [];
  for (const edit of edits) {
    if (state !== start) steps.push(state);
    const result = applyEdit(toDocument(state.document), state.layout, edit);
    if (!result.ok) return result;
    const { changes, select, notice } = result;
    const layout = keepArrangement(result.layout, state.arrangeOptions);
    const text = applyChanges(state.text, changes);
    const change = { before: state.text, changes };
    const next = { ...state, ...readText(state, text, offer), layout, change };
    state = arrange({ ...next, ids: followNames(state, next, true).ids }, state);
    if (select) state = { ...state, selection: findKeys(state.arrangement, select) };
    if (notice) notices.push(notice);
  }
  return { ok: true, state, steps, notices };
}

/** Null when the problems have no fix or no longer exist. */
export function applyFixes(
  state: EditorState,
  problems: readonly Problem[],
  offer: Offer,
): { state: EditorState; words: EntryDescription } | null {
  const fixable = problems.filter((problem) => problem.fix && state.problems.includes(problem));
  const changes = joinFixes(fixable);
  if (changes.length === 0) return null;
  const done = fixable.length === 1 ? (fixable[0]?.fix?.title ?? "") : `Fixed ${formatCount(fixable.length)} problems`;
  const fixed = rereadText({ ...state, text: applyChanges(state.text, changes) }, offer);
  return { state: { ...fixed, change: { before: state.text, changes } }, words: { name: "fix", done } };
}

function joinFixes(problems: readonly Problem[]): TextChange[] {
  const joined: TextChange[] = [];
  for (const { fix } of problems) {
    const changes = fix?.changes ?? [];
    const overlaps = changes.some(({ from: start, to: end }) =>
      joined.some((earlier) => start <= earlier.to && earlier.from <= end),
    );
    if (!overlaps) joined.push(...changes);
  }
  return joined;
}

/** Keeps the arrangement when nothing that it depends on has changed, and drops keys that no longer exist. */
function arrange(state: EditorState, before: EditorState): EditorState {
  const { flow, layout } = state;
  const options = adaptToLayout(layout.fit ?? state.arrangeOptions, layout);
  const arrangeOptions = isSameArrangement(options, before.arrangeOptions) ? before.arrangeOptions : options;
  const isUnchanged =
    flow === before.flow &&
    layout.pins === before.layout.pins &&
    layout.folded === before.layout.folded &&
    arrangeOptions === before.arrangeOptions;
  const arrangement = isUnchanged ? before.arrangement : arrangeFlow(flow, layout, arrangeOptions);
  const keys = new Set([...arrangement.nodes, ...listNotes(layout.notes)].map(({ key }) => key));
  const selection = state.selection.every((key) => keys.has(key))
    ? state.selection
    : state.selection.filter((key) => keys.has(key));
  const edge = arrangement.edges.some((link) => link.key === state.edge) ? state.edge : null;
  return { ...state, arrangement, arrangeOptions, selection, edge };
}

function readText(state: EditorState, text: string, offer: Offer) {
  const document = text === state.document.text ? state.document : readAfter(state.document, text, offer);
  return { text, document, problems: document.problems, flow: document.flow };
}

const readAfter = (before: FlowReading, text: string, offer: Offer): SourceDocument =>
  getEditing().readSource(text, offer, isSourceDocument(before) ? before : undefined);

/** What was read elsewhere gets its places in the text; the picture stays. */
export function locateReading(state: EditorState, offer: Offer): EditorState {
  if (isSourceDocument(state.document)) return state;
  const document = getEditing().readSource(state.document.text, offer);
  return { ...state, document, flow: document.flow, problems: document.problems };
}

function findKeys({ nodes }: Arrangement, names: readonly string[]): NodeKey[] {
  const firstKeys = new Map<string, NodeKey>();
  for (const { name, key } of nodes) if (!firstKeys.has(name)) firstKeys.set(name, key);
  return names.flatMap((name) => firstKeys.get(name) ?? []);
}
