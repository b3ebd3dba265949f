import { createStore } from "zustand/vanilla";
import type { CanvasComments, OpenComments } from "@/app/_canvas/state/canvas-session";

interface OpenThreads {
  count: number;
  nodes: readonly { name: string; count: number }[];
}

/** How many threads of the flow are open. Loaded once the flow is drawn, and with every list of comments. */
export function createOpenComments(show: CanvasComments["show"]) {
  const store = createStore<OpenComments>(() => ({ count: 0, nodes: new Map() }));
  return {
    store,
    show,
    set({ flowOpen: { count, nodes } }: { flowOpen: OpenThreads }): void {
      store.setState({ count, nodes: new Map(nodes.map(({ name, count: ofNode }) => [name, ofNode])) });
    },
  };
}
