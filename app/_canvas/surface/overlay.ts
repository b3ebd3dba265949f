import { createStore, type StoreApi } from "zustand/vanilla";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { Box } from "../scene/view-box";

/** What the pointer does on the overview. */
export interface Overlay {
  /** The node under the pointer. */
  hover: NodeKey | null;
  /** The rectangle that is being drawn, in canvas pixels. */
  marquee: Box | null;
  /** Nodes that are being dragged, with all that they hold, and how far, in canvas pixels. */
  held: { keys: ReadonlySet<NodeKey>; dx: number; dy: number } | null;
}

export const createOverlay = (): StoreApi<Overlay> =>
  createStore<Overlay>(() => ({ hover: null, marquee: null, held: null }));
