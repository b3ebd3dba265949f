export interface PaneLimits {
  min: number;
  max: number;
}

/** `room`: how far the neighbour can shrink; negative when it is below its minimum. */
export const toPaneSize = (targetSize: number, now: number, { min, max }: PaneLimits, room: number): number =>
  Math.round(Math.max(min, Math.min(targetSize, max, now + Math.max(0, room))));

const step = 16;

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
