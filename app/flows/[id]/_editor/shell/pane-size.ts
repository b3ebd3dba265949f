/** How large a pane may be, in pixels. */
export interface PaneLimits {
  min: number;
  max: number;
}

/** The size nearest to the one that is wanted. `room`: what its neighbour can give at most; below 0 it needs some back. */
export const toPaneSize = (targetSize: number, now: number, { min, max }: PaneLimits, room: number): number =>
  Math.round(Math.max(min, Math.min(targetSize, max, now + Math.max(0, room))));

const step = 16;

/** The size that a key asks for, null when it asks for none: the arrows along the axis, Home and End. */
export function sizeByKey(
  key: string,
  now: number,
  { min, max }: PaneLimits,
  grows: "forwards" | "backwards",
): number | null {
  const sign = grows === "forwards" ? 1 : -1;
  if (key === "ArrowRight" || key === "ArrowDown") return now + sign * step;
  if (key === "ArrowLeft" || key === "ArrowUp") return now - sign * step;
  if (key === "Home") return min;
  return key === "End" ? max : null;
}
