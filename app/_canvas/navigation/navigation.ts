import { groupBy } from "@/lib/core/flow/group-by";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { ArrangedNode, Arrangement } from "@/lib/core/layout/arrange-flow";
import { childrenOf, keyOfRow, type Outline, type OutlineItem } from "@/lib/core/layout/outline";

/**
 * The arrow keys follow the flow, not the positions of cards: down and up are the next and previous step of a series,
 * right and left the next lane, in both directions of the layout.
 */
export type ArrowDirection = "left" | "right" | "up" | "down";

/** All nodes in reading order: a frame before its members; undeclared and unconnected nodes last. */
export function readingOrder({ nodes, direction }: Arrangement): ArrangedNode[] {
  const [along, across] = direction === "down" ? (["y", "x"] as const) : (["x", "y"] as const);
  const children = groupBy(nodes, (node) => node.parent ?? "");
  const listMembers = (parent: NodeKey): ArrangedNode[] =>
    (children.get(parent) ?? [])
      .toSorted((a, b) => Number(b.placed) - Number(a.placed) || a[along] - b[along] || a[across] - b[across])
      .flatMap((node) => (node.frame ? [node, ...listMembers(node.key)] : [node]));
  return listMembers("");
}

export function findOutermost({ items }: Outline, last: boolean): NodeKey | null {
  const hasKey = (item: OutlineItem): boolean => keyOfRow(item) !== undefined;
  return keyOfRow(last ? items.findLast(hasKey) : items.find(hasKey)) ?? null;
}

/** Null where the flow ends. Down enters a frame; up leaves it at its first step. Unconnected nodes, then notes, follow the last step. */
export function findNeighbour(outline: Outline, startKey: NodeKey | null, direction: ArrowDirection): NodeKey | null {
  const index = startKey === null ? undefined : outline.indexes.get(startKey);
  if (index === undefined) return findOutermost(outline, false);
  const neighbour =
    direction === "down"
      ? findNext(outline, index)
      : direction === "up"
        ? findPrevious(outline, index)
        : findLane(outline, index, direction === "right" ? 1 : -1);
  return neighbour === null ? null : (keyOfRow(outline.items[neighbour]) ?? null);
}

/** The outermost rows are a series too: the flow, unconnected nodes, notes. */
const isSeries = (holder: OutlineItem | undefined): boolean =>
  holder === undefined || holder.joins === "serial" || holder.joins === "members";

function findNext(outline: Outline, start: number): number | null {
  const firstMember = firstNode(outline, start + 1, outline.items[start]?.end ?? 0);
  if (firstMember !== null) return firstMember;
  for (let index = start; index >= 0; index = outline.items[index]?.parent ?? -1) {
    const item = outline.items[index];
    const holder = outline.items[item?.parent ?? -1];
    const end = holder?.end ?? outline.items.length;
    const next = item && isSeries(holder) ? firstNode(outline, item.end, end) : null;
    if (next !== null) return next;
  }
  return null;
}

function findPrevious(outline: Outline, start: number): number | null {
  for (let index = start; index >= 0; ) {
    const { parent, position } = outline.items[index] ?? { parent: -1, position: 1 };
    const holder = outline.items[parent];
    const before = isSeries(holder) && position > 1 ? childrenOf(outline, parent)[position - 2] : undefined;
    if (before !== undefined) return lastStep(outline, before);
    if (holder?.node) return parent;
    index = parent;
  }
  return null;
}

/** Of the innermost lanes that continue in that direction. */
function findLane(outline: Outline, start: number, offset: 1 | -1): number | null {
  let step = 0;
  for (let index = start; index >= 0; index = outline.items[index]?.parent ?? -1) {
    const { parent, position } = outline.items[index] ?? { parent: -1, position: 1 };
    const joins = outline.items[parent]?.joins;
    if (joins === "serial") step = position - 1;
    if (joins !== "parallel" && joins !== "lanes" && joins !== "members") continue;
    const nextLane = childrenOf(outline, parent)[position - 1 + offset];
    if (nextLane !== undefined) return stepOf(outline, nextLane, step);
  }
  return null;
}

function firstNode({ items }: Outline, start: number, end: number): number | null {
  for (let index = start; index < end; index++) if (keyOfRow(items[index]) !== undefined) return index;
  return null;
}

function stepOf(outline: Outline, lane: number, step: number): number | null {
  const item = outline.items[lane];
  if (!item || keyOfRow(item) !== undefined) return item ? lane : null;
  const steps = item.joins === "serial" ? childrenOf(outline, lane) : [];
  return firstNode(outline, steps[Math.min(step, steps.length - 1)] ?? lane, item.end);
}

function lastStep(outline: Outline, start: number): number | null {
  for (let index = start; ; ) {
    const item = outline.items[index];
    const children = childrenOf(outline, index).filter((child) => outline.items[child]?.type !== "link");
    const next = isSeries(item) ? children.at(-1) : children[0];
    if (next === undefined) return keyOfRow(item) === undefined ? null : index;
    index = next;
  }
}
