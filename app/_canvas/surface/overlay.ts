import { createStore, type StoreApi } from "zustand/vanilla";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { CanvasBox } from "../scene/view-box";

/** What the pointer does on the overview. */
export interface PointerOverlay {
  /** The node under the pointer. */
  hover: NodeKey | null;
  /** The rectangle that is being drawn, in canvas pixels. */
  marquee: CanvasBox | null;
  /** Nodes that are being dragged, with all that they hold, and how far, in canvas pixels. */
  dragged: { keys: ReadonlySet<NodeKey>; dx: number; dy: number } | null;
}

export const createPointerOverlay = (): StoreApi<PointerOverlay> =>
  createStore<PointerOverlay>(() => ({ hover: null, marquee: null, dragged: null }));
