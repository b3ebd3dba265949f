import type { NodeKey } from "@/lib/core/flow/node-key";
import type { Notes } from "@/lib/core/flow/note";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";
import type { Scene } from "../scene/scene";
import type { SceneColors } from "./colors";
import type { PixelDots } from "./pixel-dots";

export interface SceneDrawing {
  context: CanvasRenderingContext2D;
  scene: Scene;
  notes: Notes | undefined;
  colors: SceneColors;
  statuses: NodeStatuses;
  pixelDots: PixelDots;
  selection: ReadonlySet<NodeKey>;
  broken: ReadonlySet<NodeKey>;
  viewport: { x: number; y: number; zoom: number };
  /** In CSS pixels. */
  width: number;
  height: number;
  dragged: { keys: ReadonlySet<NodeKey>; dx: number; dy: number } | null;
}
