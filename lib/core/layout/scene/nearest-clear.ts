import { type CanvasBox, type CanvasPoint, distanceOf, overlaps } from "./canvas-box";

/** Between a card and the one that it would lie on, in canvas pixels. */
const clearance = 16;
/** Of so many boxes that are nearest the edges are tried. */
const mostTried = 24;

/** The nearest place of a box at which it lies on none of the others; its own where there is none among them. */
export function nearestClear(box: CanvasBox, others: readonly CanvasBox[]): CanvasPoint {
  const isClear = ({ x, y }: CanvasPoint): boolean => {
    const place = { ...box, x, y };
    return !others.some((other) => overlaps(place, other));
  };
  if (isClear(box)) return { x: box.x, y: box.y };
  const nearestFirst = (a: CanvasPoint, b: CanvasPoint): number => distanceOf(box, a) - distanceOf(box, b);
  const near = others.toSorted(nearestFirst).slice(0, mostTried);
  const columns = near.flatMap(({ x, width }) => [x + width + clearance, x - box.width - clearance]);
  const rows = near.flatMap(({ y, height }) => [y + height + clearance, y - box.height - clearance]);
  const places = [box.x, ...columns].flatMap((x) => [box.y, ...rows].map((y) => ({ x, y })));
  return places.toSorted(nearestFirst).find(isClear) ?? { x: box.x, y: box.y };
}
