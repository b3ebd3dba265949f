import type { ArrangedNode, Arrangement } from "@/lib/core/flow/arrange";
import { groupBy } from "@/lib/core/flow/group-by";
import type { NodeKey } from "@/lib/core/flow/keys";

export type Direction = "left" | "right" | "up" | "down";

/**
 * Every node once, as people read the picture: top-level nodes as the flow runs, then across; a frame before what it
 * holds; what is not in the flow yet comes last.
 */
export function readingOrder(arrangement: Arrangement): ArrangedNode[] {
  const byPlace = arrangement.direction === "down" ? byRow : byColumn;
  const children = groupBy(arrangement.nodes, (node) => node.parent ?? "");
  const order: ArrangedNode[] = [];
  const visit = (parent: NodeKey): void => {
    for (const node of (children.get(parent) ?? []).toSorted(byPlace)) {
      order.push(node);
      if (node.frame) visit(node.key);
    }
  };
  visit("");
  return order;
}

const byColumn = (a: ArrangedNode, b: ArrangedNode): number =>
  Number(b.placed) - Number(a.placed) || a.x - b.x || a.y - b.y;
const byRow = (a: ArrangedNode, b: ArrangedNode): number =>
  Number(b.placed) - Number(a.placed) || a.y - b.y || a.x - b.x;

const turned: Record<Direction, Direction> = { left: "up", right: "down", up: "left", down: "right" };

/** The arrangement with its sides changed over: what ran down runs to the right. */
const turn = (arrangement: Arrangement): Arrangement => ({
  ...arrangement,
  nodes: arrangement.nodes.map((node) => ({
    ...node,
    x: node.y,
    y: node.x,
    width: node.height,
    height: node.width,
  })),
  direction: "right",
});

/**
 * The node that an arrow key leads to from `from`, or null at the edge of the picture. Left and right follow the
 * flow, up and down go to the lane beside; where nothing lies that way, left and right walk on in reading order, so
 * that every node can be reached. A frame is entered with right or down and left with left or up. Where the flow runs
 * down, down and up follow it.
 */
export function findNeighbour(arrangement: Arrangement, from: NodeKey | null, direction: Direction): NodeKey | null {
  if (arrangement.direction === "down") return findNeighbour(turn(arrangement), from, turned[direction]);
  const order = readingOrder(arrangement);
  const index = order.findIndex((node) => node.key === from);
  const current = order[index];
  if (!current) return order[0]?.key ?? null;
  const forward = direction === "right" || direction === "down";
  if (current.frame) return order[index + (forward ? 1 : -1)]?.key ?? null;
  const nearest = findNearest(order, current, direction);
  if (nearest) return nearest.key;
  if (direction === "up" || direction === "down") return null;
  return order[index + (forward ? 1 : -1)]?.key ?? null;
}

/** The card with the best mix of near and aligned; frames are entered through their cards. */
function findNearest(order: ArrangedNode[], current: ArrangedNode, direction: Direction): ArrangedNode | null {
  let best: ArrangedNode | null = null;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const node of order) {
    if (node.key === current.key || node.frame || node.placed !== current.placed) continue;
    const score = distance(current, node, direction);
    if (score < bestScore) [best, bestScore] = [node, score];
  }
  return best;
}

/** How far away `to` is along the direction, plus a penalty for lying aside; infinite when it lies elsewhere. */
function distance(from: ArrangedNode, to: ArrangedNode, direction: Direction): number {
  const horizontal = direction === "left" || direction === "right";
  const sign = direction === "right" || direction === "down" ? 1 : -1;
  const dx = to.x + to.width / 2 - (from.x + from.width / 2);
  const dy = to.y + to.height / 2 - (from.y + from.height / 2);
  const along = sign * (horizontal ? dx : dy);
  const aside = Math.abs(horizontal ? dy : dx);
  const clear = horizontal ? Math.min(from.width, to.width) / 2 : Math.min(from.height, to.height) / 2;
  if (along < clear) return Number.POSITIVE_INFINITY;
  if (!horizontal && aside > from.width) return Number.POSITIVE_INFINITY;
  return along + 2 * aside;
}
