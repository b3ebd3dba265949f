import type { ArrangedEdge, ArrangedNode, Arrangement } from "@/lib/core/layout/arrange-flow";
import { gap } from "@/lib/core/layout/arrangement";
import type { CanvasBox } from "./canvas-box";
import { indexNodes } from "./node-index";
import { sceneOf } from "./scene";

export type LinkRoute = {
  /** Distance from the middle of its ends; 0 when nothing is in the way. */
  clear: number;
  /** Directly after its start, directly before its end, or all the way. */
  bend: "start" | "end" | "swing";
};

const straightRoute: LinkRoute = { clear: 0, bend: "swing" };
const routes = new WeakMap<Arrangement, Map<string, LinkRoute>>();

export function routeOf(arrangement: Arrangement, { key, from: sourceKey, to: targetKey }: ArrangedEdge): LinkRoute {
  const cachedRoutes = routes.get(arrangement) ?? new Map<string, LinkRoute>();
  const cachedRoute = cachedRoutes.get(key);
  if (cachedRoute) return cachedRoute;
  const nodes = indexNodes(arrangement);
  const [source, target] = [nodes.get(sourceKey), nodes.get(targetKey)];
  const route = source && target ? findRoute(arrangement, source, target) : straightRoute;
  routes.set(arrangement, cachedRoutes.set(key, route));
  return route;
}

/** Along and across the flow: where it runs down, x and y are swapped. */
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
  // Cards that only touch the columns of the ends are not between them.
  const cardsBetween = between([targetExtent.end + 1, sourceExtent.start - 1], [high, low + deepest]);
  let reach = low;
  for (const node of cardsBetween.toSorted((a, b) => (down ? a.x - b.x : a.y - b.y))) {
    const [top, bottom] = down ? [node.x, node.x + node.width] : [node.y, node.y + node.height];
    if (top <= reach + passage) reach = Math.max(reach, bottom);
  }
  return reach === low ? 0 : reach - (high + low) / 2;
}

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
