import type { FlowDirection, Layout } from "../flow/edit";
import type { Flow } from "../flow/flow";
import type { NodeKey } from "../flow/node-key";
import { type ArrangedNode, arrangeFlow } from "./arrange-flow";
import { adaptToLayout } from "./choose-arrangement";

/** `restored`: the nodes that are back in their automatic positions. */
interface TurnedLayout {
  layout: Layout;
  restored: NodeKey[];
}

/**
 * The layout in another direction. Nodes that were moved by hand keep their distance from the automatic position, along
 * and across the flow; those that would overlap a card, or a frame that does not contain them, return to it.
 */
export function turnLayout(flow: Flow, layout: Layout, direction: FlowDirection): TurnedLayout {
  const { direction: before = layout.fit?.direction ?? "right", pins } = layout;
  if (before === direction || Object.keys(pins).length === 0) return { layout: { ...layout, direction }, restored: [] };
  const turned = Object.entries(pins).map(([key, { dx, dy }]) => [key, { dx: dy, dy: dx }] as const);
  const restored = new Set<NodeKey>();
  for (;;) {
    const kept = turned.filter(([key]) => !restored.has(key));
    const next: Layout = { ...layout, direction, pins: Object.fromEntries(kept) };
    const overlapping = findOverlapping(flow, next).filter((key) => !restored.has(key));
    if (overlapping.length === 0) return { layout: next, restored: [...restored] };
    for (const key of overlapping) restored.add(key);
  }
}

/** The pins of nodes that overlap another, or of the frames around them. */
function findOverlapping(flow: Flow, layout: Layout): NodeKey[] {
  const { nodes } = arrangeFlow(flow, layout, adaptToLayout(layout.fit ?? {}, layout));
  const pinned = Object.keys(layout.pins);
  const pinsOf = (node: ArrangedNode): NodeKey[] => pinned.filter((key) => isInside(node.key, key));
  const moved = nodes.flatMap((node) => {
    const pins = pinsOf(node);
    return pins.length > 0 ? [{ node, pins }] : [];
  });
  const overlapping = new Set<NodeKey>();
  for (const { node, pins } of moved)
    for (const other of nodes)
      if (!isInside(node.key, other.key) && !isInside(other.key, node.key) && overlaps(node, other))
        for (const key of pins) if (!isInside(other.key, key)) overlapping.add(key);
  return [...overlapping];
}

const isInside = (key: NodeKey, outer: NodeKey): boolean => key === outer || key.startsWith(`${outer}/`);

const overlaps = (a: ArrangedNode, b: ArrangedNode): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
