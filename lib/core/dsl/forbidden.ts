import type { Graph, Link } from "../flow/graph";
import { type Core, type GraphLine, type IncompleteBlock, isInner } from "./line-graph";
import { sinkOf, sourceOf } from "./tree";

/**
 * The forbidden N of a graph that is not series-parallel: ways a⇝c, b⇝c, b⇝d, and none between a and b, c and d, or a
 * and d. `addEdge` is the missing link a→d; `dropEdge` is b→c, or where that is a longer way, one link of it.
 */
export interface Forbidden {
  forbidden: readonly [a: string, b: string, c: string, d: string];
  addEdge: Link;
  dropEdge: Link;
}

type GraphRefusal =
  | { ok: false; reason: "redundant-edge"; edge: Link }
  | ({ ok: false; reason: "not-series-parallel" } & Forbidden);

/** Why a graph without cycles has a block that is not complete. Linear. */
export function explainBlock(graph: Graph, [a, b, c, d]: IncompleteBlock): GraphRefusal {
  const links: Link[] = [
    [a, c],
    [b, c],
    [b, d],
  ];
  for (const edge of links) if (hasLongerWay(graph, edge)) return { ok: false, reason: "redundant-edge", edge };
  const reached = graph.reachableFrom(a);
  if (!reached.has(d)) return { ok: false, reason: "not-series-parallel", ...direct(a, b, c, d) };
  // a leads to d by a longer way, and no other link can be taken for it: then its last link x→d is part of an N with
  // b→d and b→c, for a way between x and b or x and c would make one of the three links redundant.
  const x = graph.predecessors(d).find((node) => reached.has(node)) ?? a;
  return { ok: false, reason: "not-series-parallel", ...direct(x, b, d, c) };
}

const direct = (a: string, b: string, c: string, d: string): Forbidden => ({
  forbidden: [a, b, c, d],
  addEdge: [a, d],
  dropEdge: [b, c],
});

function hasLongerWay(graph: Graph, [source, target]: Link): boolean {
  const reached = new Set<string>();
  const waiting = graph.successors(source).filter((node) => node !== target);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === target) return true;
    if (reached.has(next)) continue;
    reached.add(next);
    for (const after of graph.successors(next)) waiting.push(after);
  }
  return false;
}

/**
 * The N in a core that cannot be reduced. From a point with one way in and several out go to the nearest of its next
 * points; the first that has a second way in closes a Wheatstone bridge, whose sides are the N.
 */
export function explainCore({ incoming, outgoing }: Core): Forbidden {
  const rank = rankPoints(incoming, outgoing);
  let point = [...rank.keys()].find(isInner);
  while (point !== undefined) {
    const ways = [...(outgoing[point] ?? [])].sort((x, y) => (rank.get(x.to) ?? 0) - (rank.get(y.to) ?? 0));
    const [into] = incoming[point] ?? [];
    const [near, far] = ways;
    if (!into || !near || !far) break;
    const secondLine = [...(incoming[near.to] ?? [])].find((line) => line !== near);
    const [on] = outgoing[near.to] ?? [];
    if (secondLine && on) {
      const [a, b, c, d] = [sinkOf(secondLine.tree), sinkOf(into.tree), sourceOf(on.tree), sourceOf(far.tree)];
      return { forbidden: [a, b, c, d], addEdge: [a, d], dropEdge: [b, sourceOf(near.tree)] };
    }
    point = near.to;
  }
  throw new Error("a core that cannot be reduced holds a bridge");
}

/** The points that still have lines, each after all points that lead to it. */
function rankPoints(incoming: readonly Set<GraphLine>[], outgoing: readonly Set<GraphLine>[]): Map<number, number> {
  const open = incoming.map((lines) => lines.size);
  const order = open.flatMap((count, point) => (count === 0 && outgoing[point]?.size ? [point] : []));
  for (const point of order)
    for (const { to } of outgoing[point] ?? []) {
      open[to] = (open[to] ?? 0) - 1;
      if (open[to] === 0) order.push(to);
    }
  return new Map(order.map((point, index) => [point, index]));
}
