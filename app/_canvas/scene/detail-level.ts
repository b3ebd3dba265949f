import type { NodeKey } from "@/lib/core/flow/node-key";
import type { Scene } from "./scene";
import type { CanvasBox } from "./view-box";

/**
 * What of a flow is mounted as elements. Few nodes on screen are cards, with some more round them; many are one
 * picture without elements. The counts decide, not the zoom; between the two pairs of limits it stays as it was, so
 * that the picture does not flicker.
 */
export type DetailLevel =
  | { type: "overview" }
  | {
      type: "cards";
      /** In the order in which they are wanted; a frame before what it holds. */
      keys: readonly NodeKey[];
      /** As long as the view stays well inside, the same nodes do; in canvas pixels. */
      area: CanvasBox;
    };

const maxForCards = { nodes: 220, links: 1200 };
const maxToLeaveOverview = { nodes: 160, links: 900 };
/** Never more cards than this, whatever is near. */
export const maxMounted = 260;
/** How far beyond the view cards are mounted, as a part of its size. */
const margin = 0.35;
/** How much of that has to be left before more are mounted. */
const reserve = 0.1;
/** After zooming in so far, what is mounted is far too much. */
const farTooLarge = 2.5;

/** The stage for what `view` shows, `papers` notes among it; `before` itself as long as it will do. */
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

/** How many links there are at these nodes; stops at the first count over `enough`. */
function countLinks(scene: Scene, positions: readonly number[], enough: number): number {
  let ends = 0;
  for (const position of positions) {
    ends += scene.links(position).length;
    if (ends > 2 * enough) break;
  }
  return ends / 2;
}

/** What is seen, then what lies round it, then what the seen is linked with. */
function chooseCards(scene: Scene, view: CanvasBox, visible: readonly number[]): DetailLevel {
  const chosen = new Set<NodeKey>();
  const add = (position: number): boolean => {
    const missing: NodeKey[] = [];
    for (let node = scene.nodes[position]; node && !chosen.has(node.key); ) {
      missing.unshift(node.key);
      node = node.parent === undefined ? undefined : scene.nodes[scene.positions.get(node.parent) ?? -1];
    }
    if (chosen.size + missing.length > maxMounted) return false;
    for (const key of missing) chosen.add(key);
    return true;
  };
  const near = grow(view, margin);
  for (const position of visible) add(position);
  let all = true;
  for (const position of scene.findIn(near)) all = add(position) && all;
  for (const position of visible)
    for (const { from, to } of scene.links(position)) for (const end of [from, to]) add(scene.positions.get(end) ?? -1);
  return { type: "cards", keys: [...chosen], area: all ? near : grow(view, reserve) };
}

/** The box with so much of its size more on each side. */
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
