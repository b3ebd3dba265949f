import type { FlowDirection } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import { groupBy } from "@/lib/core/flow/group-by";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { findNote, listNotes, type Notes } from "@/lib/core/flow/note";
import type { ArrangedEdge, ArrangedNode, Arrangement } from "@/lib/core/layout/arrange-flow";
import { keyOfRow, outlineFlow } from "@/lib/core/layout/outline";
import { indexNodes, lineageOf } from "@/lib/core/layout/scene/node-index";
import { sceneOf } from "@/lib/core/layout/scene/scene";
import { type ArrowDirection, findNearest, isAlong, isForward, type KeyedBox, toAcross } from "./nearest";

export type { ArrowDirection } from "./nearest";

export interface ArrangedFlow {
  flow: Flow;
  arrangement: Arrangement;
  layout: { notes?: Notes | undefined };
}

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

export function findOutermost({ flow, arrangement, layout }: ArrangedFlow, last: boolean): NodeKey | null {
  const { items } = outlineFlow(flow, layout.notes);
  const nodes = indexNodes(arrangement);
  const isShown = (key: NodeKey | undefined): key is NodeKey =>
    key !== undefined && (nodes.has(key) || findNote(layout.notes, key) !== undefined);
  const keys = items.map(keyOfRow);
  return (last ? keys.findLast(isShown) : keys.find(isShown)) ?? null;
}

/**
 * Where an arrow key leads in the picture; null where nothing is there. Along the flow, links come first, so that the keys
 * follow a serial that continues in the next row; otherwise the nearest node in that direction. Forward enters a frame,
 * backward leaves it at its first step. Unconnected nodes, then notes, follow the last step.
 */
export function findNeighbour(
  picture: ArrangedFlow,
  startKey: NodeKey | null,
  direction: ArrowDirection,
): NodeKey | null {
  const { arrangement, layout } = picture;
  const start = startKey === null ? undefined : indexNodes(arrangement).get(startKey);
  const note = startKey === null ? undefined : findNote(layout.notes, startKey);
  if (note) return findFromNote(picture, note, direction);
  if (!start) return findOutermost(picture, false);
  const isFirstAlong = isAlong(direction, directionOf(arrangement, start));
  const entry = isFirstAlong && isForward(direction) && start.frame ? findEntry(arrangement, start, "first") : null;
  if (entry) return entry.key;
  for (const level of levelsOf(arrangement, start)) {
    const next = findAtLevel(arrangement, { level, start, direction });
    if (next !== null) return next;
  }
  if (isFirstAlong) return findTrailing(picture, start, isForward(direction) ? 1 : -1);
  return findNearest(start, listNotes(layout.notes), direction)?.key ?? null;
}

interface LevelSearch {
  /** The node where the search starts, or a frame around it. */
  level: ArrangedNode;
  start: ArrangedNode;
  direction: ArrowDirection;
}

function findAtLevel(arrangement: Arrangement, { level, start, direction }: LevelSearch): NodeKey | null {
  if (!isAlong(direction, directionOf(arrangement, level)))
    return findNearest(level, siblingsOf(arrangement, level), direction)?.key ?? null;
  const linked = findLinked(arrangement, level, { start, end: isForward(direction) ? "to" : "from" });
  const next = linked ?? findNearest(level, sequenceOf(arrangement, level), direction);
  if (isForward(direction)) return next?.key ?? null;
  return next ? findLastIn(arrangement, next, start).key : (level.parent ?? null);
}

/** Of the serial that a node is in. */
const directionOf = ({ direction }: Arrangement, node: ArrangedNode): FlowDirection => node.direction ?? direction;

function findFromNote(picture: ArrangedFlow, note: KeyedBox, direction: ArrowDirection): NodeKey | null {
  const { arrangement, layout } = picture;
  const others = [...siblingsIn(arrangement, ""), ...listNotes(layout.notes)];
  const nearest = findNearest(
    note,
    others.filter(({ key }) => key !== note.key),
    direction,
  );
  if (nearest) return nearest.key;
  const order = listTrailing(picture);
  return order[order.indexOf(note.key) + (isForward(direction) ? 1 : -1)] ?? null;
}

/** The node and the frames around it, the innermost first. */
const levelsOf = (arrangement: Arrangement, { key }: ArrangedNode): ArrangedNode[] =>
  lineageOf(indexNodes(arrangement), key).reverse();

/** The end of a link of `level` that is nearest to the start; links that may be taken only where they point that way. */
function findLinked(
  arrangement: Arrangement,
  level: ArrangedNode,
  { start, end }: { start: ArrangedNode; end: "from" | "to" },
): ArrangedNode | null {
  const nodes = indexNodes(arrangement);
  const { positions, links } = sceneOf(arrangement);
  const isOutward = (edge: ArrangedEdge): boolean => (end === "to" ? edge.from : edge.to) === level.key;
  const ends = links(positions.get(level.key) ?? -1)
    .filter((edge) => (edge.type === "flow" || edge.type === "draft") && isOutward(edge))
    .flatMap((edge) => nodes.get(edge[end]) ?? []);
  return closest(ends, start, directionOf(arrangement, level));
}

function closest(
  candidates: readonly ArrangedNode[],
  start: ArrangedNode,
  flowDirection: FlowDirection,
): ArrangedNode | null {
  const distanceTo = (node: ArrangedNode): number =>
    Math.abs(toAcross(node, flowDirection) - toAcross(start, flowDirection));
  return candidates.reduce<ArrangedNode | null>(
    (best, node) => (best !== null && distanceTo(best) <= distanceTo(node) ? best : node),
    null,
  );
}

/** The member at that end of a frame: the first or last along the flow, of several the uppermost. */
function findEntry(arrangement: Arrangement, { key }: ArrangedNode, end: "first" | "last"): ArrangedNode | null {
  const members = siblingsIn(arrangement, key);
  const { positions, links } = sceneOf(arrangement);
  const isEnd = (member: ArrangedNode): boolean =>
    !links(positions.get(member.key) ?? -1).some(
      (edge) => edge.type === "flow" && (end === "first" ? edge.to : edge.from) === member.key,
    );
  return members.find(isEnd) ?? members[0] ?? null;
}

function findLastIn(arrangement: Arrangement, node: ArrangedNode, start: ArrangedNode): ArrangedNode {
  for (let current = node; ; ) {
    const last =
      current.frame && !start.key.startsWith(`${current.key}/`) ? findEntry(arrangement, current, "last") : null;
    if (!last) return current;
    current = last;
  }
}

const memberCache = new WeakMap<Arrangement, ReadonlyMap<NodeKey, ArrangedNode[]>>();

/** Of the frame `parent`, `""` for the flow itself. */
function siblingsIn(arrangement: Arrangement, parent: NodeKey): readonly ArrangedNode[] {
  const members = memberCache.get(arrangement) ?? groupBy(arrangement.nodes, (node) => node.parent ?? "");
  memberCache.set(arrangement, members);
  return members.get(parent) ?? [];
}

const siblingsOf = (arrangement: Arrangement, { key, parent = "" }: ArrangedNode): ArrangedNode[] =>
  siblingsIn(arrangement, parent).filter((node) => node.key !== key);

/** The flow and what waits beside it are two sequences. */
const sequenceOf = (arrangement: Arrangement, node: ArrangedNode): ArrangedNode[] =>
  siblingsOf(arrangement, node).filter(({ placed }) => placed === node.placed);

/** The last step, then what is in no flow. */
function listTrailing({ arrangement, layout }: ArrangedFlow): NodeKey[] {
  const roots = siblingsIn(arrangement, "");
  const last = roots.findLast(({ placed }) => placed);
  return [
    ...(last ? [findLastIn(arrangement, last, last).key] : []),
    ...roots.filter(({ placed }) => !placed).map(({ key }) => key),
    ...listNotes(layout.notes).map(({ key }) => key),
  ];
}

function findTrailing(picture: ArrangedFlow, start: ArrangedNode, offset: 1 | -1): NodeKey | null {
  const order = listTrailing(picture);
  const index = start.placed ? 0 : order.indexOf(start.key);
  return (start.placed && offset < 0 ? null : order[index + offset]) ?? null;
}
