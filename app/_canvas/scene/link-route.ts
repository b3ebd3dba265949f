import type { ArrangedEdge, ArrangedNode, Arrangement } from "@/lib/core/layout/arrange-flow";
import { gap } from "@/lib/core/layout/arrangement";
import { indexNodes } from "./node-index";
import { sceneOf } from "./scene";
import type { Box } from "./view-box";

/** How a link gets past the cards that stand between its ends. */
export type LinkRoute = {
  /** How far below the middle of its ends a link back has to hang; 0: nothing is in its way. */
  clear: number;
  /** Where a link onward changes lanes: right behind its start, right before its end, or in one swing all the way. */
  bend: "start" | "end" | "swing";
};

const plain: LinkRoute = { clear: 0, bend: "swing" };
const routes = new WeakMap<Arrangement, Map<string, LinkRoute>>();

/** Found once for each link of an arrangement. */
export function routeOf(arrangement: Arrangement, { key, from, to }: ArrangedEdge): LinkRoute {
  const found = routes.get(arrangement) ?? new Map<string, LinkRoute>();
  const known = found.get(key);
  if (known) return known;
  const nodes = indexNodes(arrangement);
  const [source, target] = [nodes.get(from), nodes.get(to)];
  const route = source && target ? findRoute(arrangement, source, target) : plain;
  routes.set(arrangement, found.set(key, route));
  return route;
}

/** Everything is measured along and across the flow: where it runs down, x and y change places. */
interface Lane {
  start: number;
  end: number;
  middle: number;
}

const laneOf = ({ x, y, width, height }: Box, down: boolean): Lane =>
  down ? { start: y, end: y + height, middle: x + width / 2 } : { start: x, end: x + width, middle: y + height / 2 };

function findRoute(arrangement: Arrangement, source: ArrangedNode, target: ArrangedNode): LinkRoute {
  const down = arrangement.direction === "down";
  const [from, to] = [laneOf(source, down), laneOf(target, down)];
  const { nodes, findIn } = sceneOf(arrangement);
  const between = (along: readonly [number, number], across: readonly [number, number]): ArrangedNode[] => {
    const [first, second] = down ? [across, along] : [along, across];
    const box = { x: first[0], y: second[0], width: first[1] - first[0], height: second[1] - second[0] };
    return findIn(box).flatMap((position) => {
      const node = nodes[position];
      return node?.placed && node.parent === source.parent && node !== source && node !== target ? [node] : [];
    });
  };
  return to.end < from.start
    ? { clear: findClearance(from, to, between, down), bend: "swing" }
    : { clear: 0, bend: findBend(from, to, between) };
}

type Between = (along: readonly [number, number], across: readonly [number, number]) => ArrangedNode[];

/** How deep below its ends the cards between are looked for, and the room that a link needs between two of them. */
const deepest = 600;
const passage = 40;

function findClearance(from: Lane, to: Lane, between: Between, down: boolean): number {
  const [high, low] = [Math.min(from.middle, to.middle), Math.max(from.middle, to.middle)];
  // What only touches the columns of the ends does not stand between them.
  const found = between([to.end + 1, from.start - 1], [high, low + deepest]);
  let reach = low;
  for (const node of found.toSorted((a, b) => (down ? a.x - b.x : a.y - b.y))) {
    const [top, bottom] = down ? [node.x, node.x + node.width] : [node.y, node.y + node.height];
    if (top <= reach + passage) reach = Math.max(reach, bottom);
  }
  return reach === low ? 0 : reach - (high + low) / 2;
}

/** A card closer than this to a link is in its way. */
const near = 4;

function findBend(from: Lane, to: Lane, between: Between): LinkRoute["bend"] {
  const [start, end] = [from.end, to.start];
  if (end - start <= gap.along + near || Math.abs(from.middle - to.middle) < near) return "swing";
  const across = [Math.min(from.middle, to.middle), Math.max(from.middle, to.middle)] as const;
  const isFree = (turn: number, middle: number, straight: readonly [number, number]): boolean =>
    between([turn + near, turn + gap.along - near], across).length === 0 &&
    between(straight, [middle - near, middle + near]).length === 0;
  if (isFree(start, to.middle, [start + gap.along, end])) return "start";
  return isFree(end - gap.along, from.middle, [start, end - gap.along]) ? "end" : "swing";
}
