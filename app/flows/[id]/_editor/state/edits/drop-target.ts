import type { Edit, Scope } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { containsDeclaration } from "@/lib/core/kinds/members";
import { lanesOf } from "@/lib/core/kinds/registry";
import type { ArrangedNode, Arrangement } from "@/lib/core/layout/arrange-flow";
import type { CanvasPoint } from "@/lib/core/layout/scene/canvas-box";
import { describeLane } from "@/lib/core/layout/scene/describe-lane";
import { sceneOf } from "@/lib/core/layout/scene/scene";
import { ownerOf } from "@/lib/core/source/read/topology";
import { memberScope, toScope } from "./node-edits";

export type DropPosition = NonNullable<Extract<Edit, { type: "move-member" }>["at"]>;

/** `""` is the root swarm. */
export interface DropTarget {
  frame: NodeKey;
  at: DropPosition | null;
}

/** `""` is the key of a new card. Null for the frame where the card is already: then only its position changes. */
export function findDropTarget(arrangement: Arrangement, key: NodeKey, point: CanvasPoint): DropTarget | null {
  const { nodes, positions, findIn } = sceneOf(arrangement);
  const node = nodes[positions.get(key) ?? -1];
  if (!node && key !== "") return null;
  const frame = findIn({ x: point.x - 1, y: point.y - 1, width: 2, height: 2 })
    .flatMap((position) => nodes[position] ?? [])
    .findLast(
      (candidate) =>
        candidate.frame && candidate.key !== key && !candidate.key.startsWith(`${key}/`) && contains(candidate, point),
    );
  const frameKey = frame?.key ?? "";
  if (node && frameKey === (node.parent ?? "")) return null;
  const members = nodes.filter(
    (member) => (member.parent ?? "") === frameKey && member.key !== key && (frame || member.placed),
  );
  const nearest = members.reduce<ArrangedNode | undefined>(
    (best, member) => (best && distance(best, point) <= distance(member, point) ? best : member),
    undefined,
  );
  return { frame: frameKey, at: nearest ? { member: nearest.name, side: sideOf(frame, nearest, point) } : null };
}

const contains = ({ x, y, width, height }: ArrangedNode, point: CanvasPoint): boolean =>
  x <= point.x && point.x <= x + width && y <= point.y && point.y <= y + height;

const centreOf = ({ x, y, width, height }: ArrangedNode): CanvasPoint => ({ x: x + width / 2, y: y + height / 2 });

function distance(node: ArrangedNode, point: CanvasPoint): number {
  const centre = centreOf(node);
  return Math.hypot(centre.x - point.x, centre.y - point.y);
}

/** In parallel and serial groups the position of the pointer does not matter. */
export function sideOf(
  frame: ArrangedNode | undefined,
  member: ArrangedNode,
  point: CanvasPoint,
): DropPosition["side"] {
  const centre = centreOf(member);
  const [dx, dy] = [point.x - centre.x, point.y - centre.y];
  if (frame?.mode === "parallel") return "beside";
  if (frame?.mode !== "serial" && Math.abs(dy) > Math.abs(dx)) return "beside";
  return dx < 0 ? "before" : "after";
}

export const toDropEdit = (flow: Flow, node: ArrangedNode, { frame: frameKey, at: position }: DropTarget): Edit =>
  toMoveEdit(flow, node, toScope(flow, frameKey, position?.member ?? ""), position);

export function toMoveEdit(flow: Flow, node: ArrangedNode, scope: Scope, position: DropPosition | null = null): Edit {
  const sourceScope = scopeOf(flow, node);
  return {
    type: "move-member",
    name: node.name,
    scope,
    ...(sourceScope && { from: sourceScope }),
    ...(position && { at: position }),
  };
}

export const scopeOf = (flow: Flow, node: ArrangedNode): Scope | null => (node.placed ? memberScope(flow, node) : null);

export function listMoveTargets(flow: Flow, node: ArrangedNode): { scope: Scope; label: string }[] {
  const currentScope = JSON.stringify(scopeOf(flow, node));
  const all: { scope: Scope; label: string }[] = [
    { scope: { type: "root" }, label: "The flow itself" },
    ...[...flow.groups.keys()].map((name) => ({ scope: { type: "group" as const, name }, label: name })),
    ...[...flow.swarms.keys()].map((name) => ({ scope: { type: "swarm" as const, name }, label: name })),
    ...[...flow.controls.values()].flatMap((control) =>
      lanesOf(control).map(([lane]) => {
        const { name } = control;
        const words = describeLane(lane);
        return { scope: { type: "lane" as const, name, lane }, label: words === "" ? name : `${name}: ${words}` };
      }),
    ),
  ];
  return all.filter(({ scope }) => {
    const owner = ownerOf(scope);
    return (
      JSON.stringify(scope) !== currentScope &&
      owner !== node.name &&
      (owner === null || !containsDeclaration(flow, node.name, owner))
    );
  });
}
