import type { ArrangedNode, Arrangement } from "@/lib/core/flow/arrange";
import { sceneOf } from "./scene";

/** How deep below its ends the cards between are looked for, in canvas pixels. */
const deepest = 600;

/**
 * How far below the middle of its ends a link back to an earlier card must hang to pass below the cards between them; 0 for
 * links that lead on, and where nothing stands between. Where the flow runs down: how far to the right.
 */
export function findClearance(
  arrangement: Arrangement,
  from: ArrangedNode | undefined,
  to: ArrangedNode | undefined,
): number {
  if (!from || !to) return 0;
  const down = arrangement.direction === "down";
  // What only touches the columns of the ends does not stand between them.
  const [start, end] = down ? [to.y + to.height + 1, from.y - 1] : [to.x + to.width + 1, from.x - 1];
  if (start >= end) return 0;
  const middleOf = (node: ArrangedNode): number => (down ? node.x + node.width / 2 : node.y + node.height / 2);
  const [high, low] = [Math.min(middleOf(from), middleOf(to)), Math.max(middleOf(from), middleOf(to))];
  const { nodes, findIn } = sceneOf(arrangement);
  const between = findIn(
    down
      ? { x: high, y: start, width: low - high + deepest, height: end - start }
      : { x: start, y: high, width: end - start, height: low - high + deepest },
  ).flatMap((position) => nodes[position] ?? []);
  let reach = low;
  for (const node of between.toSorted((a, b) => middleOf(a) - middleOf(b))) {
    const isBetween = node.parent === from.parent && node.key !== from.key && node.key !== to.key;
    const [top, bottom] = down ? [node.x, node.x + node.width] : [node.y, node.y + node.height];
    // A card further down, below a gap that lets the link through, is not in its way.
    if (isBetween && node.placed && top <= reach + gapForLink) reach = Math.max(reach, bottom);
  }
  return reach === low ? 0 : reach - (high + low) / 2;
}

/** Room that a link needs between two cards. */
const gapForLink = 40;
