import type { ArrangedEdge, ArrangedNode, Arrangement } from "@/lib/core/layout/arrange-flow";
import { gap } from "@/lib/core/layout/arrangement";
import { indexNodes } from "./node-index";
import { sceneOf } from "./scene";
import type { CanvasBox } from "./view-box";

/** How a link gets past the cards that stand between its ends. */
export type LinkRoute = {
  /** How far below the middle of its ends a link back has to hang; 0: nothing is in its way. */
  clear: number;
  /** Where a link onward changes lanes: right behind its start, right before its end, or in one swing all the way. */
  bend: "start" | "end" | "swing";
};

const straightRoute: LinkRoute = { clear: 0, bend: "swing" };
const routes = new WeakMap<Arrangement, Map<string, LinkRoute>>();

/** Found once for each link of an arrangement. */
export function routeOf(arrangement: Arrangement, { key, from, to }: ArrangedEdge): LinkRoute {
  const cachedRoutes = routes.get(arrangement) ?? new Map<string, LinkRoute>();
  const cachedRoute = cachedRoutes.get(key);
  if (cachedRoute) return cachedRoute;
  const nodes = indexNodes(arrangement);
  const [source, target] = [nodes.get(from), nodes.get(to)];
  const route = source && target ? findRoute(arrangement, source, target) : straightRoute;
  routes.set(arrangement, cachedRoutes.set(key, route));
  return route;
}

/** Everything is measured along and across the flow: where it runs down, x and y change places. */
interface FlowExtent {
  start: number;
  end: number;
  middle: number;
}

const toExtent = ({ x, y, width, height }: CanvasBox, down: boolean): FlowExtent =>
  down ? { start: y, end: y + height, middle: x + width / 2 } : { start: x, end: x + width, middle: y + height / 2 };

function findRoute(arrangement: Arrangement, source: ArrangedNode, target: ArrangedNode): LinkRoute {
  const down = arrangement.direction === "down";
  const [sourceExtent, targetExtent] = [toExtent(source, down), toExtent(target, down)];
  const { nodes, findIn } = sceneOf(arrangement);
  const between = (along: readonly [number, number], across: readonly [number, number]): ArrangedNode[] => {
    const [horizontal, vertical] = down ? [across, along] : [along, across];
    const box = {
      x: horizontal[0],
      y: vertical[0],
      width: horizontal[1] - horizontal[0],
      height: vertical[1] - vertical[0],
    };
    return findIn(box).flatMap((position) => {
      const node = nodes[position];
      return node?.placed && node.parent === source.parent && node !== source && node !== target ? [node] : [];
    });
  };
  return targetExtent.end < sourceExtent.start
    ? { clear: findClearance(sourceExtent, targetExtent, between, down), bend: "swing" }
    : { clear: 0, bend: findBend(sourceExtent, targetExtent, between) };
}

type FindBetween = (along: readonly [number, number], across: readonly [number, number]) => ArrangedNode[];

/** How deep below its ends the cards between are looked for, and the room that a link needs between two of them. */
const deepest = 600;
const passage = 40;

function findClearance(
  sourceExtent: FlowExtent,
  targetExtent: FlowExtent,
  between: FindBetween,
  down: boolean,
): number {
  const [high, low] = [
    Math.min(sourceExtent.middle, targetExtent.middle),
    Math.max(sourceExtent.middle, targetExtent.middle),
  ];
  // What only touches the columns of the ends does not stand between them.
  const cardsBetween = between([targetExtent.end + 1, sourceExtent.start - 1], [high, low + deepest]);
  let reach = low;
  for (const node of cardsBetween.toSorted((a, b) => (down ? a.x - b.x : a.y - b.y))) {
    const [top, bottom] = down ? [node.x, node.x + node.width] : [node.y, node.y + node.height];
    if (top <= reach + passage) reach = Math.max(reach, bottom);
  }
  return reach === low ? 0 : reach - (high + low) / 2;
}

/** A card closer than this to a link is in its way. */
const near = 4;

function findBend(sourceExtent: FlowExtent, targetExtent: FlowExtent, between: FindBetween): LinkRoute["bend"] {
  const [start, end] = [sourceExtent.end, targetExtent.start];
  if (end - start <= gap.along + near || Math.abs(sourceExtent.middle - targetExtent.middle) < near) return "swing";
  const across = [
    Math.min(sourceExtent.middle, targetExtent.middle),
    Math.max(sourceExtent.middle, targetExtent.middle),
  ] as const;
  const isFree = (turn: number, middle: number, straight: readonly [number, number]): boolean =>
    between([turn + near, turn + gap.along - near], across).length === 0 &&
    between(straight, [middle - near, middle + near]).length === 0;
  if (isFree(start, targetExtent.middle, [start + gap.along, end])) return "start";
  return isFree(end - gap.along, sourceExtent.middle, [start, end - gap.along]) ? "end" : "swing";
}
