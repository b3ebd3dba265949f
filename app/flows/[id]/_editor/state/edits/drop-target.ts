import { describeLane } from "@/app/_canvas/mapping/describe-place";
import { sceneOf } from "@/app/_canvas/scene/scene";
import type { Edit, Scope } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import { holds } from "@/lib/core/flow/members";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { lanesOf } from "@/lib/core/kinds/registry";
import type { ArrangedNode, Arrangement } from "@/lib/core/layout/arrange-flow";
import { ownerOf } from "@/lib/core/source/read/topology";
import { toScope } from "./node-edits";

export type Spot = NonNullable<Extract<Edit, { type: "move-member" }>["at"]>;

/** Where a dragged card would go: a place (`""` is the root swarm) and beside whom. */
export interface Drop {
  frame: NodeKey;
  at: Spot | null;
}

interface Point {
  x: number;
  y: number;
}

/**
 * What letting a card go at `point` comes to: the innermost frame there and the nearest of its members. Null while that is
 * the place where the card stands already: then only the picture moves.
 */
export function findDrop(arrangement: Arrangement, key: NodeKey, point: Point): Drop | null {
  const { nodes, positions, findIn } = sceneOf(arrangement);
  const node = nodes[positions.get(key) ?? -1];
  if (!node) return null;
  const frame = findIn({ x: point.x - 1, y: point.y - 1, width: 2, height: 2 })
    .flatMap((position) => nodes[position] ?? [])
    .findLast((one) => one.frame && one.key !== key && !one.key.startsWith(`${key}/`) && contains(one, point));
  const place = frame?.key ?? "";
  const waits = !node.placed && node.parent === undefined;
  if (place === (node.parent ?? "") || (waits && !frame)) return null;
  const members = nodes.filter((one) => (one.parent ?? "") === place && one.key !== key && (frame || one.placed));
  const nearest = members.reduce<ArrangedNode | undefined>(
    (best, one) => (best && distance(best, point) <= distance(one, point) ? best : one),
    undefined,
  );
  return { frame: place, at: nearest ? { member: nearest.name, side: sideOf(frame, nearest, point) } : null };
}

const contains = ({ x, y, width, height }: ArrangedNode, point: Point): boolean =>
  x <= point.x && point.x <= x + width && y <= point.y && point.y <= y + height;

const centreOf = ({ x, y, width, height }: ArrangedNode): Point => ({ x: x + width / 2, y: y + height / 2 });

function distance(node: ArrangedNode, point: Point): number {
  const centre = centreOf(node);
  return Math.hypot(centre.x - point.x, centre.y - point.y);
}

/** Members of a parallel group stand side by side and those of a serial in line, wherever the card is let go. */
function sideOf(frame: ArrangedNode | undefined, member: ArrangedNode, point: Point): Spot["side"] {
  const centre = centreOf(member);
  const [dx, dy] = [point.x - centre.x, point.y - centre.y];
  if (frame?.groupMode === "parallel") return "beside";
  if (frame?.groupMode !== "serial" && Math.abs(dy) > Math.abs(dx)) return "beside";
  return dx < 0 ? "before" : "after";
}

/** The edit that a drop comes to. */
export const toDropEdit = (flow: Flow, node: ArrangedNode, { frame: place, at }: Drop): Edit =>
  toMoveEdit(flow, node, toScope(flow, place, at?.member ?? ""), at);

/** Moves what a card stands for to another place, or to another spot in its own. */
export function toMoveEdit(flow: Flow, node: ArrangedNode, scope: Scope, at: Spot | null = null): Edit {
  const from = scopeOf(flow, node);
  return { type: "move-member", name: node.name, scope, ...(from && { from }), ...(at && { at }) };
}

/** The place where a card stands; null while it waits beside the flow. */
export const scopeOf = (flow: Flow, { parent, placed, name }: ArrangedNode): Scope | null =>
  parent === undefined && !placed ? null : toScope(flow, parent ?? "", name);

/** The places that a card could move to, with what they are called. */
export function placesFor(flow: Flow, node: ArrangedNode): { scope: Scope; label: string }[] {
  const own = JSON.stringify(scopeOf(flow, node));
  const all: { scope: Scope; label: string }[] = [
    { scope: { type: "root" }, label: "The flow itself" },
    ...[...flow.groups.keys()].map((name) => ({ scope: { type: "group" as const, name }, label: name })),
    ...[...flow.swarms.keys()].map((name) => ({ scope: { type: "swarm" as const, name }, label: name })),
    ...[...flow.controls.values()].flatMap((control) =>
      lanesOf(control).map(([lane]) => {
        const [{ name }, words] = [control, describeLane(lane)];
        return { scope: { type: "lane" as const, name, lane }, label: words === "" ? name : `${name}: ${words}` };
      }),
    ),
  ];
  return all.filter(({ scope }) => {
    const owner = ownerOf(scope);
    return JSON.stringify(scope) !== own && owner !== node.name && (owner === null || !holds(flow, node.name, owner));
  });
}
