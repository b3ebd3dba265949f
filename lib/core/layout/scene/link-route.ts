import type { NodeKey } from "../../flow/node-key";
import type { ArrangedEdge, ArrangedNode, Arrangement } from "../arrange-flow";
import type { CanvasBox, CanvasPoint } from "./canvas-box";
import { type FlowExtent, type LinkRoute, toExtent, toLinkPoints } from "./link-points";
import { indexNodes } from "./node-index";
import { type Scene, sceneOf } from "./scene";

interface RouteCache {
  trunks: Map<string, LinkRoute>;
  /** By the lines between which links turn: where the last of their sources ends, and the first of their targets starts. */
  turns: Map<string, { lastEnd: number; firstStart: number }>;
  /** Of all links that are not part of a serial; made when the first is asked for. */
  others: ReadonlyMap<string, LinkRoute> | null;
}
const caches = new WeakMap<Arrangement, RouteCache>();
const straightRoute: LinkRoute = { type: "straight" };

/** Cached: the same object for the same link of an arrangement. */
export function routeOf(arrangement: Arrangement, edge: ArrangedEdge): LinkRoute {
  const cache = caches.get(arrangement) ?? { trunks: new Map(), turns: new Map(), others: null };
  caches.set(arrangement, cache);
  if (!isSerial(edge)) {
    cache.others ??= toOtherRoutes(arrangement);
    return cache.others.get(edge.key) ?? straightRoute;
  }
  const cachedRoute = cache.trunks.get(edge.key);
  if (cachedRoute) return cachedRoute;
  const route = toSerialRoute(arrangement, edge, cache);
  cache.trunks.set(edge.key, route);
  return route;
}

const isSerial = ({ trunk, turn }: ArrangedEdge): boolean => trunk !== undefined || turn !== undefined;

/** Between the source and a target that follows it in less room than a link needs to turn. */
const leastRoom = 40;

function toSerialRoute(arrangement: Arrangement, edge: ArrangedEdge, { turns }: RouteCache): LinkRoute {
  const ends = findEnds(arrangement, edge);
  if (!ends) return straightRoute;
  const { source, target } = toExtents(arrangement, ends);
  // To the next line of a flow that wraps.
  if (edge.turn !== undefined) {
    const { lastEnd, firstStart } = findTurnEnds(arrangement, edge, turns);
    const [late, early] = [lastEnd - source.end, target.start - firstStart];
    return { type: "around", at: edge.turn - source.middle, slot: 0, leaves: "port", arrives: "port", late, early };
  }
  if (target.start - source.end < leastRoom) return toAround(arrangement, ends, 0);
  const at = (edge.trunk ?? target.start) - source.end;
  return { type: "trunk", at, shares: findSharedHalf(sceneOf(arrangement), edge) };
}

/** All links between two lines turn at the same places: shorter lanes end, and start, beside cards of longer ones. */
function findTurnEnds(arrangement: Arrangement, { scope, turn }: ArrangedEdge, turns: RouteCache["turns"]) {
  const key = `${turn} ${scope}`;
  const known = turns.get(key);
  if (known) return known;
  const found = { lastEnd: Number.NEGATIVE_INFINITY, firstStart: Number.POSITIVE_INFINITY };
  for (const edge of arrangement.edges) {
    if (edge.turn !== turn || edge.scope !== scope) continue;
    const ends = findEnds(arrangement, edge);
    if (!ends) continue;
    const { source, target } = toExtents(arrangement, ends);
    found.lastEnd = Math.max(found.lastEnd, source.end);
    found.firstStart = Math.min(found.firstStart, target.start);
  }
  turns.set(key, found);
  return found;
}

function findSharedHalf({ links, positions }: Scene, edge: ArrangedEdge): "none" | "start" | "end" {
  const isFlow = ({ type, scope }: ArrangedEdge): boolean => type === "flow" && scope === edge.scope;
  const [fromSource, toTarget] = [links(positions.get(edge.from) ?? -1), links(positions.get(edge.to) ?? -1)];
  if (fromSource.some((link) => link.from === edge.from && link.key !== edge.key && isFlow(link))) return "start";
  return toTarget.some((link) => link.to === edge.to && link.key !== edge.key && isFlow(link)) ? "end" : "none";
}

interface NodeEnds {
  source: ArrangedNode;
  target: ArrangedNode;
}

function findEnds(arrangement: Arrangement, { from: sourceKey, to: targetKey }: ArrangedEdge): NodeEnds | null {
  const nodes = indexNodes(arrangement);
  const [source, target] = [nodes.get(sourceKey), nodes.get(targetKey)];
  return source && target ? { source, target } : null;
}

/** The direction of a link is that of its source: a team may have its lead above its workers in a flow to the right. */
export const isDownward = (arrangement: Arrangement, source: Pick<ArrangedNode, "direction"> | undefined): boolean =>
  (source?.direction ?? arrangement.direction) === "down";

function toExtents(arrangement: Arrangement, { source, target }: NodeEnds) {
  const down = isDownward(arrangement, source);
  return { down, source: toExtent(source, down), target: toExtent(target, down) };
}

/** More lines than this around the same cards overlap. */
const maxSlots = 3;

function toOtherRoutes(arrangement: Arrangement): Map<string, LinkRoute> {
  const routes = new Map<string, LinkRoute>();
  const slots = new Map<NodeKey, number>();
  for (const edge of arrangement.edges) {
    if (isSerial(edge)) continue;
    const ends = findEnds(arrangement, edge);
    const slot = slots.get(edge.scope) ?? 0;
    const route = ends ? findRoute(arrangement, edge, ends, slot % maxSlots) : straightRoute;
    if (route.type === "around" || route.type === "bracket") slots.set(edge.scope, slot + 1);
    routes.set(edge.key, route);
  }
  return routes;
}

function findRoute(arrangement: Arrangement, { type }: ArrangedEdge, ends: NodeEnds, slot: number): LinkRoute {
  if (type === "delegate") return { type: "spoke" };
  const { source, target } = toExtents(arrangement, ends);
  const room = target.start - source.end;
  if (type === "spawn" && room >= leastRoom) return { type: "trunk", at: room / 2, shares: "start" };
  if (type === "handoff" && isInSight(arrangement, ends)) return straightRoute;
  if (target.start < source.end && source.start < target.end) return { type: "bracket", slot };
  if (type === "draft" && room >= leastRoom) {
    const at = findTurn(arrangement, ends);
    if (at !== null) return { type: "trunk", at, shares: "none" };
  }
  return toAround(arrangement, ends, slot);
}

/** The cards and frames in a box that a link between two nodes should not cross. */
function findObstacles(arrangement: Arrangement, { source, target }: NodeEnds, box: CanvasBox): ArrangedNode[] {
  const { nodes, findIn } = sceneOf(arrangement);
  return findIn(box).flatMap((position) => {
    const node = nodes[position];
    return node?.placed && node.parent === source.parent && node !== source && node !== target ? [node] : [];
  });
}

/** Whether a straight line between two nodes crosses no other. */
function isInSight(arrangement: Arrangement, ends: NodeEnds): boolean {
  const [start, end] = toLinkPoints({ ...ends, down: isDownward(arrangement, ends.source) }, straightRoute);
  if (!start || !end) return true;
  const box = {
    x: Math.min(start.x, end.x),
    y: Math.min(start.y, end.y),
    width: Math.abs(start.x - end.x),
    height: Math.abs(start.y - end.y),
  };
  return !findObstacles(arrangement, ends, box).some((node) => crosses(start, end, node));
}

const margin = 8;

/** Whether a line meets a box: its parameters inside of the four sides have a common range. */
function crosses(start: CanvasPoint, end: CanvasPoint, { x, y, width, height }: CanvasBox): boolean {
  const axes = [
    [start.x, end.x - start.x, x - margin, x + width + margin],
    [start.y, end.y - start.y, y - margin, y + height + margin],
  ] as const;
  let [first, last] = [0, 1];
  for (const [origin, step, low, high] of axes) {
    if (step === 0) {
      if (origin < low || origin > high) return false;
      continue;
    }
    const [a, b] = [(low - origin) / step, (high - origin) / step];
    first = Math.max(first, Math.min(a, b));
    last = Math.min(last, Math.max(a, b));
  }
  return first <= last;
}

const toBox = (down: boolean, along: readonly [number, number], across: readonly [number, number]): CanvasBox => {
  const [[x, right], [y, bottom]] = down ? [across, along] : [along, across];
  return { x, y, width: right - x, height: bottom - y };
};

/** How far after its source a link can turn without crossing a card; null: nowhere. */
function findTurn(arrangement: Arrangement, ends: NodeEnds): number | null {
  const { source, target, down } = toExtents(arrangement, ends);
  const across = [Math.min(source.middle, target.middle), Math.max(source.middle, target.middle)] as const;
  const isFree = (along: readonly [number, number], range: readonly [number, number]): boolean =>
    findObstacles(arrangement, ends, toBox(down, along, range)).length === 0;
  for (const trunk of [source.end + leastRoom, target.start - leastRoom])
    if (
      isFree([trunk - 1, trunk + 1], across) &&
      isFree([source.end, trunk], [source.middle - 1, source.middle + 1]) &&
      isFree([trunk, target.start], [target.middle - 1, target.middle + 1])
    )
      return trunk - source.end;
  return null;
}

/** How deep below its ends cards are looked for, and the room that a link needs between two of them. */
const deepest = 1200;
const passage = 48;
const below = 22;

function toAround(arrangement: Arrangement, ends: NodeEnds, slot: number): LinkRoute {
  const { source, target, down } = toExtents(arrangement, ends);
  const along = [Math.min(source.start, target.start), Math.max(source.end, target.end)] as const;
  const low = Math.max(source.high, target.high);
  const top = Math.min(source.middle, target.middle);
  const obstacles = findObstacles(arrangement, ends, toBox(down, along, [top, low + deepest]));
  const extents = obstacles.map((node) => toExtent(node, down)).sort((a, b) => a.low - b.low);
  let reach = low;
  for (const { low: start, high } of extents) if (start <= reach + passage) reach = Math.max(reach, high);
  const isFreeBelow = ({ start, end, high }: FlowExtent): boolean =>
    !extents.some((extent) => extent.start < end && extent.end > start && extent.high > high && extent.low < reach);
  return {
    type: "around",
    at: reach + below - source.middle,
    slot,
    leaves: isFreeBelow(source) ? "side" : "port",
    arrives: isFreeBelow(target) ? "side" : "port",
  };
}
