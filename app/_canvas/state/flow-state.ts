import type { StoreApi } from "zustand/vanilla";
import type { Layout } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { Problem } from "@/lib/core/flow/problem";
import { type Arrangement, type ArrangeOptions, arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { adaptToLayout, chooseArrangement, isSameArrangement } from "@/lib/core/layout/choose-arrangement";
import type { FlowReading } from "@/lib/core/source/read/source-document";

export interface FlowState {
  text: string;
  layout: Layout;
  /** The latest text that was read; its `text` is older than `text` while the user types in a large file. */
  document: FlowReading;
  /** What the text declares; parts that cannot be read keep their last readable state. */
  flow: Flow;
  arrangement: Arrangement;
  /** How the flow is arranged for the view it is seen in. */
  arrangeOptions: ArrangeOptions;
  problems: readonly Problem[];
  /** Keys of nodes and of notes. */
  selection: readonly NodeKey[];
  edge: string | null;
}

export function startFlowState(document: FlowReading, layout: Layout): FlowState {
  const { text, flow, problems } = document;
  const arrangeOptions = adaptToLayout(layout.fit ?? {}, layout);
  const arrangement = arrangeFlow(flow, layout, arrangeOptions);
  return { text, layout, document, flow, arrangement, arrangeOptions, problems, selection: [], edge: null };
}

export const toCanvasActions = (store: StoreApi<FlowState>) => ({
  /** Selecting nodes deselects the link; an empty selection keeps it. */
  select(keys: readonly NodeKey[]): void {
    const { selection, edge } = store.getState();
    const isSame = keys.length === selection.length && keys.every((key, index) => key === selection[index]);
    const nextEdge = keys.length > 0 ? null : edge;
    if (!isSame || nextEdge !== edge) store.setState({ selection: isSame ? selection : keys, edge: nextEdge });
  },
  selectEdge: (key: string | null): void =>
    store.setState((state) => ({ edge: key, selection: key === null ? state.selection : [] })),
  /** Arranges the flow for a view of this size. `isFirst`: no one has seen the arrangement until now. */
  arrangeFor(area: ViewArea, isFirst = false): void {
    const { flow, layout, arrangeOptions } = store.getState();
    const options = chooseArrangement(flow, layout, area, isFirst ? null : arrangeOptions);
    if (!isSameArrangement(options, arrangeOptions))
      store.setState({ arrangeOptions: options, arrangement: arrangeFlow(flow, layout, options) });
  },
});

/** The space that is free for the flow, in CSS pixels. */
export interface ViewArea {
  width: number;
  height: number;
  /** The least scale at which the whole flow is better than a readable part of it; missing: the readable scale. */
  leastScale?: number | undefined;
}
