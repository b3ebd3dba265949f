import { boundsOf, type CanvasBox, toScreenBox } from "@/lib/core/layout/scene/canvas-box";
import type { NodeIndex } from "@/lib/core/layout/scene/node-index";
import { isTerminal } from "@/lib/core/run/events/run-status";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";

interface View {
  x: number;
  y: number;
  zoom: number;
  width: number;
  height: number;
}

/** Covered by buttons, or too near to the border to be read; in pixels on screen. */
const border = { x: 16, top: 16, bottom: 60 } as const;

/** Whether any step of the run that is shown has not ended. */
export function isLiveRun(statuses: NodeStatuses): boolean {
  for (const { status } of statuses.values()) if (status === "RUNNING" || status === "WAITING") return true;
  return false;
}

/** The cards whose steps run or wait, those that began last at the end. */
export const findRunning = (statuses: NodeStatuses, nodes: NodeIndex): CanvasBox[] =>
  [...statuses].flatMap(([key, { status }]) => {
    const node = status === "INIT" || isTerminal(status) ? undefined : nodes.get(key);
    return node && !node.frame ? [node] : [];
  });

/**
 * Where the view has to move for all of these boxes to be seen, at the same scale; for the last of them, if they do not fit
 * together. Null: they are in view. Moves along an axis only where that is needed.
 */
export function toFollowingView(boxes: readonly CanvasBox[], view: View): { x: number; y: number } | null {
  const all = boundsOf(boxes);
  const last = boxes.at(-1);
  if (!all || !last) return null;
  const free = { x: view.width - 2 * border.x, y: view.height - border.top - border.bottom };
  const fits = all.width * view.zoom <= free.x && all.height * view.zoom <= free.y;
  const box = toScreenBox(fits ? all : last, view);
  const dx = toShift(box.x, box.width, border.x, free.x);
  const dy = toShift(box.y, box.height, border.top, free.y);
  return dx === 0 && dy === 0 ? null : { x: view.x + dx, y: view.y + dy };
}

/** How far a range has to move to the middle of the free one; 0: it is inside. A longer one shows its start. */
function toShift(start: number, length: number, freeStart: number, freeLength: number): number {
  if (start >= freeStart && start + length <= freeStart + freeLength) return 0;
  const shift = freeStart + Math.max(0, (freeLength - length) / 2) - start;
  // Sums of fractions are not exact: the view would move by nothing, again and again.
  return Math.abs(shift) < 0.01 ? 0 : shift;
}
