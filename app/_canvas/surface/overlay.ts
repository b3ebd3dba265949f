import { createStore, type StoreApi } from "zustand/vanilla";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { CanvasBox } from "../scene/canvas-box";

export interface PointerOverlay {
  hover: NodeKey | null;
  marquee: CanvasBox | null;
  /** Dragged nodes and their members; the distance in canvas pixels. */
  dragged: { keys: ReadonlySet<NodeKey>; dx: number; dy: number } | null;
}

export const createPointerOverlay = (): StoreApi<PointerOverlay> =>
  createStore<PointerOverlay>(() => ({ hover: null, marquee: null, dragged: null }));
