import type { StoreApi } from "zustand/vanilla";
import type { Offer } from "@/lib/core/check/check-flow";
import type { Layout } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { Problem } from "@/lib/core/flow/problem";
import type { TextChange } from "@/lib/core/flow/text-range";
import type { StepWords } from "@/lib/core/history/describe-edits";
import { emptyHistory, type History } from "@/lib/core/history/history";
import { type Arrangement, arrangeFlow } from "@/lib/core/layout/arrange-flow";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { readSource } from "@/lib/core/source/read-source";

export interface EditorState {
  /** The truth: what the file says. */
  text: string;
  layout: Layout;
  /** The newest text that was read; its `text` lags behind `text` by a moment while somebody types in a large file. */
  document: SourceDocument;
  /** What the file says; of what cannot be read just now, what it said before. */
  flow: Flow;
  arrangement: Arrangement;
  problems: readonly Problem[];
  /** Keys of nodes and of notes. */
  selection: readonly NodeKey[];
  /** Key of the selected link. */
  edge: string | null;
  /** How `text` came from the text before, while that is known exactly: lets the text pane keep its caret. */
  change: { before: string; changes: readonly TextChange[] } | null;
  /** A node or note that should come into view; a new object asks again. */
  reveal: { key: NodeKey } | null;
  history: History;
  /** What was done, undone or redone last; null while somebody types. */
  step: LastStep | null;
}

export interface LastStep {
  how: "did" | "undid" | "redid";
  words: StepWords;
}

/** The part of an editor that changes nothing of the flow. */
export interface Selecting {
  /** Selecting nodes lets go of the link; selecting none leaves it to `selectEdge`. */
  select(keys: readonly NodeKey[]): void;
  selectEdge(key: string | null): void;
  reveal(key: NodeKey): void;
}

/** What a text says at first; nothing is selected, nothing was done. */
export function startState(text: string, layout: Layout, offer: Offer): EditorState {
  const document = readSource(text, offer);
  return {
    text,
    layout,
    document,
    flow: document.flow,
    arrangement: arrangeFlow(document.flow, layout),
    problems: document.problems,
    selection: [],
    edge: null,
    change: null,
    reveal: null,
    history: emptyHistory,
    step: null,
  };
}

export const toSelecting = (store: StoreApi<EditorState>): Selecting => ({
  select(keys) {
    const { selection, edge } = store.getState();
    const same = keys.length === selection.length && keys.every((key, index) => key === selection[index]);
    const kept = keys.length > 0 ? null : edge;
    if (!same || kept !== edge) store.setState({ selection: same ? selection : keys, edge: kept });
  },
  selectEdge: (key) => store.setState((state) => ({ edge: key, selection: key === null ? state.selection : [] })),
  reveal: (key) => store.setState({ reveal: { key } }),
});
