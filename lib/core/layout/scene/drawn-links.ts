import type { NodeKey } from "../../flow/node-key";
import {
  type ArrangedEdge,
  type ArrangedNode,
  type Arrangement,
  diamondSize,
  type EdgeType,
  frameInsetOf,
  hasDiamond,
  laneGap,
} from "../arrangement";
import type { CanvasBox, CanvasPoint } from "./canvas-box";
import { describeLane } from "./describe-lane";
import {
  headLength,
  type LinkEnds,
  type LinkRoute,
  shorten,
  toExtent,
  toForkLength,
  toRoundedPath,
} from "./link-points";
import { indexNodes } from "./node-index";
import { sceneOf } from "./scene";

/**
 * `lane` and `lane-end`: from the diamond of a branch to its lanes, and from those to its end. `bypass`: of a branch with only one lane, past
 * that lane, of which it begins at the first node. `back`: to the start of a loop.
 */
export type LinkType = EdgeType | "lane" | "lane-end" | "bypass" | "back";

/** A line inside of a frame. */
export interface FrameLine {
  type: Exclude<LinkType, EdgeType>;
  source: ArrangedNode;
  target: ArrangedNode;
  route: LinkRoute;
  down: boolean;
  /** The name of a lane; empty for most. */
  label: string;
  /** Of a lane: the length of the diamond along the flow. */
  lead: number;
}

const lineCache = new WeakMap<Arrangement, readonly FrameLine[]>();

/** The lines inside of branches, routers and loops: they belong to the frame and cannot be selected. Made once for each arrangement. */
export function linesOf(arrangement: Arrangement): readonly FrameLine[] {
  const cachedLines = lineCache.get(arrangement);
  if (cachedLines) return cachedLines;
  const members = new Map<NodeKey, ArrangedNode[]>();
  for (const node of arrangement.nodes) if (node.frame && hasLines(node)) members.set(node.key, []);
  if (members.size > 0) for (const node of arrangement.nodes) members.get(node.parent ?? "")?.push(node);
  const sources = new Set(arrangement.edges.map((edge) => edge.from));
  const nodes = indexNodes(arrangement);
  const lines = [...members].flatMap(([key, inside]) => {
    const frame = nodes.get(key);
    const first = inside.filter(({ lane }) => lane !== undefined);
    const last = inside.filter((node) => !sources.has(node.key));
    return frame ? toLines(arrangement, frame, first, last) : [];
  });
  lineCache.set(arrangement, lines);
  return lines;
}

const hasLines = (node: ArrangedNode): boolean => hasDiamond(node) || node.type === "loop";

function toLines(
  arrangement: Arrangement,
  frame: ArrangedNode,
  first: readonly ArrangedNode[],
  last: readonly ArrangedNode[],
): FrameLine[] {
  const down = arrangement.direction === "down";
  if (frame.type === "loop") {
    const [start, end] = [findLowest(first, down), findLowest(last, down)];
    return start && end ? [toLine("back", end, start, toBackRoute(frame, end, down), { down })] : [];
  }
  const lead = down ? diamondSize.height : diamondSize.width;
  const inset = frameInsetOf(frame, arrangement.direction);
  const join = down ? inset.bottom : inset.right;
  const end = toExtent(frame, down).end - join / 2;
  const lanes = first.map((node) => {
    const label = describeLane(node.lane);
    return toLine("lane", frame, node, laneRoute, { down, label, lead });
  });
  const joins = last.map((node) => {
    const at = end - toExtent(node, down).end;
    return toLine("lane-end", node, frame, { type: "trunk", at, shares: "end" }, { down });
  });
  return [...lanes, ...joins, ...toBypass(frame, first, join / 2, down)];
}

/** The text passes a branch without the other lane unchanged. */
function toBypass(frame: ArrangedNode, first: readonly ArrangedNode[], join: number, down: boolean): FrameLine[] {
  const [node] = first;
  const missing = ["if_true", "if_false"].filter((lane) => !first.some((other) => other.lane === lane));
  if (frame.type !== "branch" || !node || missing.length !== 1) return [];
  const [lead, breadth] = down ? [diamondSize.height, diamondSize.width] : [diamondSize.width, diamondSize.height];
  return [
    toLine(
      "bypass",
      node,
      frame,
      { type: "bypass", lead, breadth, join },
      { down, label: describeLane(missing[0]), lead },
    ),
  ];
}

const laneRoute: LinkRoute = { type: "trunk", at: laneGap.before * 0.4, shares: "start", noPorts: true };

const findLowest = (nodes: readonly ArrangedNode[], down: boolean): ArrangedNode | undefined =>
  nodes.toSorted((a, b) => (down ? a.x - b.x : a.y - b.y))[0];

/** Below the label of the frame. */
const backOffset = 30;

const toBackRoute = (frame: ArrangedNode, source: ArrangedNode, down: boolean): LinkRoute => ({
  type: "around",
  at: toExtent(frame, down).low + backOffset - toExtent(source, down).middle,
  slot: 0,
  leaves: "side",
  arrives: "side",
});

const toLine = (
  type: FrameLine["type"],
  source: ArrangedNode,
  target: ArrangedNode,
  route: LinkRoute,
  { down, label = "", lead = 0 }: { down: boolean; label?: string; lead?: number },
): FrameLine => ({ type, source, target, route, down, label, lead });

/** The boxes between which a link is drawn: a lane begins at the point of its diamond and ends at the end of its frame. */
export function toLinkEnds(
  { type, lead, down }: { type: LinkType; lead: number; down: boolean },
  source: CanvasBox,
  target: CanvasBox,
): LinkEnds {
  if (type === "lane") return { source: down ? { ...source, height: lead } : { ...source, width: lead }, target, down };
  if (type === "lane-end") return { source, target: toEndBox(target, down), down };
  return { source, target, down };
}

const toEndBox = (frame: CanvasBox, down: boolean): CanvasBox =>
  down ? { ...frame, y: frame.y + frame.height } : { ...frame, x: frame.x + frame.width };

export const hasHead = (type: LinkType): boolean => type !== "delegate" && type !== "lane-end" && type !== "bypass";

/** Whether a link in the other direction has the same line. */
export function isPaired(arrangement: Arrangement, edge: ArrangedEdge, route: LinkRoute): boolean {
  if (route.type !== "straight" || edge.from === edge.to) return false;
  const { links, positions } = sceneOf(arrangement);
  return links(positions.get(edge.to) ?? -1).some((other) => other.from === edge.to && other.to === edge.from);
}

/** Where the label of a lane is: on its part that runs across the flow; for a straight one, in its middle. */
export function toLabelPoint(points: readonly CanvasPoint[], type: LinkType): CanvasPoint {
  const [start, turn, end] = points;
  const last = points.at(-1);
  if (!start || !turn || !last) return { x: 0, y: 0 };
  if (type === "bypass" && end) return between(turn, end, 0.3);
  if (points.length > 2 && end) return between(turn, end, 0.5);
  const { x, y } = between(start, last, 0.5);
  return { x: x - headLength / 2, y };
}

const between = (start: CanvasPoint, end: CanvasPoint, share: number): CanvasPoint => ({
  x: start.x + (end.x - start.x) * share,
  y: start.y + (end.y - start.y) * share,
});

export const cornerRadius = 12;

const spawnDashes = { length: 6, gap: 4 };
export const spawnDashArray = `${spawnDashes.length} ${spawnDashes.gap}`;

/** Links that share their start have a gap where they part: dashes that turn both ways would be a blot. */
export const toSpawnDashOffset = (route: LinkRoute): number => {
  const period = spawnDashes.length + spawnDashes.gap;
  return period - (toForkLength(route, cornerRadius) % period);
};

/** The line of a link as an SVG path, without its heads. */
export function toLinePath(points: readonly CanvasPoint[], link: { type: LinkType; isPaired: boolean }): string {
  const end = hasHead(link.type) ? shorten(points, headLength - 2) : points;
  // The other link of a pair has its head at the start of this one.
  return toRoundedPath(link.isPaired ? shorten(end.toReversed(), headLength - 2).toReversed() : end, cornerRadius);
}
