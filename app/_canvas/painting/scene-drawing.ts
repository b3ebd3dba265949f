import type { NodeKey } from "@/lib/core/flow/node-key";
import type { Notes } from "@/lib/core/flow/note";
import type { Scene } from "@/lib/core/layout/scene/scene";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";
import type { SceneColors } from "./colors";
import type { PixelDots } from "./pixel-dots";

/** The size is in CSS pixels. */
export interface Viewpoint {
  x: number;
  y: number;
  zoom: number;
  width: number;
  height: number;
  /** Dragged nodes and their members; the distance in canvas pixels. */
  dragged: { keys: ReadonlySet<NodeKey>; dx: number; dy: number } | null;
}

export interface SceneDrawing extends Viewpoint {
  context: CanvasRenderingContext2D;
  scene: Scene;
  notes: Notes | undefined;
  colors: SceneColors;
  statuses: NodeStatuses;
  pixelDots: PixelDots;
  selection: ReadonlySet<NodeKey>;
  broken: ReadonlySet<NodeKey>;
}
