import type { Viewport } from "@xyflow/system";
import type { ArrangedNode } from "@/lib/core/layout/arrangement";
import { mostReadableCards } from "@/lib/core/layout/choose-arrangement";
import { toVisibleBox } from "@/lib/core/layout/scene/canvas-box";

export const edges = ["above", "below"] as const;
export type Edge = (typeof edges)[number];

/**
 * The cards that the upper or the lower edge of a view cuts or hides, nearest first; none of a flow that is too large to be
 * read card by card.
 */
export function findCardsBeyond(
  nodes: readonly ArrangedNode[],
  viewport: Viewport,
  { width, height }: { width: number; height: number },
): Record<Edge, readonly ArrangedNode[]> {
  const visible = toVisibleBox(viewport, width, height);
  const cards = nodes.length > mostReadableCards ? [] : nodes.filter((node) => !node.frame);
  const beyond = (distanceOf: (card: ArrangedNode) => number): ArrangedNode[] =>
    cards.filter((card) => distanceOf(card) > 0).toSorted((a, b) => distanceOf(a) - distanceOf(b));
  return {
    above: beyond((card) => visible.y - card.y),
    below: beyond((card) => card.y + card.height - visible.y - visible.height),
  };
}
