import type { NodeKey } from "@/lib/core/flow/node-key";
import type { CanvasBox } from "@/lib/core/layout/scene/canvas-box";
import { indexNodes, lineageOf } from "@/lib/core/layout/scene/node-index";
import type { Scene } from "@/lib/core/layout/scene/scene";

/**
 * Few visible nodes are cards, many are one painted picture. The counts decide, not the zoom; the gap between the two pairs of limits
 * prevents flicker.
 */
export type DetailLevel =
  | { type: "overview" }
  | {
      type: "cards";
      /** By priority; a frame before its members. */
      keys: readonly NodeKey[];
      /** The same nodes stay mounted while the view is well inside; in canvas pixels. */
      area: CanvasBox;
    };

const maxForCards = { nodes: 220, links: 1200 };
const maxToLeaveOverview = { nodes: 160, links: 900 };
export const maxMounted = 260;
/** As a fraction of the size of the view. */
const margin = 0.35;
/** How much of that has to be left before more are mounted. */
const reserve = 0.1;
const farTooLarge = 2.5;

/** Returns `before` itself as long as it fits. */
export function chooseDetailLevel(scene: Scene, view: CanvasBox, before: DetailLevel | null, papers = 0): DetailLevel {
  if (before?.type === "cards" && contains(before.area, grow(view, reserve)) && !isFarTooLarge(before.area, view))
    return before;
  const visible = scene.findIn(view);
  const limit = before?.type === "overview" ? maxToLeaveOverview : maxForCards;
  if (visible.length + papers > limit.nodes || countLinks(scene, visible, limit.links) > limit.links)
    return before?.type === "overview" ? before : { type: "overview" };
  return chooseCards(scene, view, visible);
}

const isFarTooLarge = (area: CanvasBox, view: CanvasBox): boolean => area.width > view.width * farTooLarge;

/** Stops at the first count over `enough`. */
function countLinks(scene: Scene, positions: readonly number[], enough: number): number {
  let ends = 0;
  for (const position of positions) {
    ends += scene.links(position).length;
    if (ends > 2 * enough) break;
  }
  return ends / 2;
}

/** Visible nodes first, then those around them, then those linked with visible ones. */
function chooseCards(scene: Scene, view: CanvasBox, visible: readonly number[]): DetailLevel {
  const chosen = new Set<NodeKey>();
  const add = (position: number): boolean => {
    const lineage = lineageOf(indexNodes(scene.arrangement), scene.nodes[position]?.key ?? "");
    const missing = lineage.filter(({ key }) => !chosen.has(key));
    if (chosen.size + missing.length > maxMounted) return false;
    for (const { key } of missing) chosen.add(key);
    return true;
  };
  const near = grow(view, margin);
  for (const position of visible) add(position);
  let all = true;
  for (const position of scene.findIn(near)) all = add(position) && all;
  for (const position of visible)
    for (const { from: sourceKey, to: targetKey } of scene.links(position))
      for (const end of [sourceKey, targetKey]) add(scene.positions.get(end) ?? -1);
  return { type: "cards", keys: [...chosen], area: all ? near : grow(view, reserve) };
}

export function grow({ x, y, width, height }: CanvasBox, factor: number): CanvasBox {
  return {
    x: x - width * factor,
    y: y - height * factor,
    width: width * (1 + 2 * factor),
    height: height * (1 + 2 * factor),
  };
}

const contains = (container: CanvasBox, box: CanvasBox): boolean =>
  container.x <= box.x &&
  container.y <= box.y &&
  container.x + container.width >= box.x + box.width &&
  container.y + container.height >= box.y + box.height;
