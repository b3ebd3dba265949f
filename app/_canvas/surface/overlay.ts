import { createStore, type StoreApi } from "zustand/vanilla";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { CanvasBox } from "@/lib/core/layout/scene/canvas-box";
import type { Viewpoint } from "../painting/scene-drawing";

export interface PointerOverlay {
  hover: NodeKey | null;
  marquee: CanvasBox | null;
  dragged: Viewpoint["dragged"];
}

export const createPointerOverlay = (): StoreApi<PointerOverlay> =>
  createStore<PointerOverlay>(() => ({ hover: null, marquee: null, dragged: null }));
