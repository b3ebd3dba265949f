import type { Arrangement } from "../arrangement";
import type { CanvasBox, CanvasPoint } from "./canvas-box";
import { isPaired, type LinkType, linesOf, toLinkEnds } from "./drawn-links";
import { type LinkEnds, type LinkRoute, toLinkPoints } from "./link-points";
import { isDownward, routeOf } from "./link-route";
import { indexNodes } from "./node-index";

interface DrawnLink {
  type: LinkType;
  ends: LinkEnds;
  route: LinkRoute;
  isPaired: boolean;
  label: string;
}

/** All links of an arrangement, and the lines inside of its frames. */
export function listLinks(arrangement: Arrangement): DrawnLink[] {
  const nodes = indexNodes(arrangement);
  const lines = linesOf(arrangement).map(({ type, source, target, route, down, label, lead }) => ({
    type,
    ends: toLinkEnds({ type, lead, down }, source, target),
    route,
    isPaired: false,
    label,
  }));
  const links = arrangement.edges.flatMap((edge): DrawnLink[] => {
    const [source, target] = [nodes.get(edge.from), nodes.get(edge.to)];
    if (!source || !target) return [];
    const route = routeOf(arrangement, edge);
    const ends = { source, target, down: isDownward(arrangement, source) };
    return [{ type: edge.type, ends, route, isPaired: isPaired(arrangement, edge, route), label: "" }];
  });
  return [...lines, ...links];
}

const pointCache = new WeakMap<Arrangement, readonly CanvasPoint[][]>();

/** How many links pass through a box. Their points are computed once for each arrangement. */
export function countLinksIn(arrangement: Arrangement, box: CanvasBox): number {
  const cachedPoints = pointCache.get(arrangement);
  const lines = cachedPoints ?? listLinks(arrangement).map(({ ends, route }) => toLinkPoints(ends, route));
  if (!cachedPoints) pointCache.set(arrangement, lines);
  return lines.filter((points) =>
    points.some((end, index) => {
      const start = points[index - 1];
      return start !== undefined && passesThrough(start, end, box);
    }),
  ).length;
}

/** Clips the segment at the sides of the box, one axis after the other. */
function passesThrough(start: CanvasPoint, end: CanvasPoint, { x, y, width, height }: CanvasBox): boolean {
  let [first, last] = [0, 1];
  for (const [from, to, low, high] of [
    [start.x, end.x, x, x + width],
    [start.y, end.y, y, y + height],
  ] as const) {
    if (from === to) {
      if (from < low || from > high) return false;
      continue;
    }
    const [a, b] = [(low - from) / (to - from), (high - from) / (to - from)];
    first = Math.max(first, Math.min(a, b));
    last = Math.min(last, Math.max(a, b));
  }
  return first <= last;
}
