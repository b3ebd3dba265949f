import type { Viewport } from "@xyflow/system";
import type { Arrangement } from "@/lib/core/layout/arrangement";
import { mostReadableCards } from "@/lib/core/layout/choose-arrangement";
import { toVisibleBox } from "@/lib/core/layout/scene/canvas-box";
import { sceneOf } from "@/lib/core/layout/scene/scene";
import type { ViewArea } from "../state/flow-state";

/** In CSS pixels. */
export const minimapSize = { width: 200, height: 150 };
/** From the lower right corner of the canvas, above the controls of the view. */
export const minimapInset = { right: 12, bottom: 56 };

/** Whether the map would cover a card. A flow of many agents fills the view, and cannot do without its map. */
export function coversCard(arrangement: Arrangement, { x, y, zoom }: Viewport, area: ViewArea): boolean {
  const { nodes } = arrangement;
  if (nodes.length > mostReadableCards) return false;
  const { width, height } = minimapSize;
  const left = area.width - minimapInset.right - width;
  const top = area.height - minimapInset.bottom - height;
  const box = toVisibleBox({ x: x - left, y: y - top, zoom }, width, height);
  return sceneOf(arrangement)
    .findIn(box)
    .some((position) => nodes[position]?.frame === false);
}
