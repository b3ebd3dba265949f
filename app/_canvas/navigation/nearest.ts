import type { FlowDirection } from "@/lib/core/flow/edit";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { CanvasBox } from "@/lib/core/layout/scene/canvas-box";

export type ArrowDirection = "left" | "right" | "up" | "down";

export type KeyedBox = CanvasBox & { key: NodeKey };

export const isForward = (direction: ArrowDirection): boolean => direction === "right" || direction === "down";

/** Whether an arrow points with or against the flow. */
export const isAlong = (direction: ArrowDirection, flowDirection: FlowDirection): boolean =>
  (direction === "left" || direction === "right") === (flowDirection === "right");

/** The centre of a box across the flow. */
export const toAcross = ({ x, y, width, height }: CanvasBox, flowDirection: FlowDirection): number =>
  flowDirection === "right" ? y + height / 2 : x + width / 2;

/** A box as the arrow sees it: `near` and `far` edge in its direction, and its extent across. */
interface ArrowView {
  near: number;
  far: number;
  middle: number;
  start: number;
  end: number;
}

function toArrowView({ x, y, width, height }: CanvasBox, direction: ArrowDirection): ArrowView {
  const [low, length, start, extent] =
    direction === "left" || direction === "right" ? [x, width, y, height] : [y, height, x, width];
  const [near, far] = isForward(direction) ? [low, low + length] : [-low - length, -low];
  return { near, far, middle: (near + far) / 2, start, end: start + extent };
}

/**
 * The nearest box in a direction: one straight ahead, otherwise one in the quadrant of the arrow. Null where none is there;
 * the first of equally near ones.
 */
export function findNearest<Box extends KeyedBox>(
  start: CanvasBox,
  candidates: readonly Box[],
  direction: ArrowDirection,
): Box | null {
  const origin = toArrowView(start, direction);
  let best: { box: Box; distance: number } | null = null;
  for (const box of candidates) {
    const distance = distanceTo(origin, toArrowView(box, direction));
    if (distance !== null && (best === null || distance < best.distance)) best = { box, distance };
  }
  return best?.box ?? null;
}

/** More than any distance straight ahead. */
const aside = 1e9;

function distanceTo(origin: ArrowView, view: ArrowView): number | null {
  const ahead = view.middle - origin.middle;
  if (ahead <= 1 || view.far <= origin.far) return null;
  const gap = Math.max(0, view.near - origin.far);
  const across = Math.abs((view.start + view.end) / 2 - (origin.start + origin.end) / 2);
  const isStraight = view.start < origin.end && origin.start < view.end;
  if (isStraight) return gap + across / 2;
  return across <= ahead ? aside + gap + 2 * across : null;
}
