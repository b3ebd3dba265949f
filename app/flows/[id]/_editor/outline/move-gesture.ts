import { printFlow } from "@/lib/core/dsl/print";
import type { Edit, Scope } from "@/lib/core/flow/edit";
import {
  type Expression,
  nameExpression,
  namesOf,
  parallelExpression,
  serialExpression,
} from "@/lib/core/flow/expression";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { type NodeKey, nodeKey, parentKey } from "@/lib/core/flow/keys";
import { insertAfter, type MoveWay, moveMember } from "@/lib/core/flow/move";
import { isWorkflow, partOf, textKind, topologyOf } from "@/lib/core/source/topology";
import { type Gesture, type NodeIndex, toScope } from "../canvas/gestures";

const refuse = (message: string): Gesture => ({ ok: false, message });

/** Moves one member of the flow among its own, out of what holds it, or into what stands before it. */
export function moveNode(flow: Flow, nodes: NodeIndex, key: NodeKey, way: MoveWay): Gesture {
  const node = nodes.get(key);
  if (!node) return refuse("That node is not in the flow any more.");
  if (!node.placed) return refuse(`"${node.name}" is not in the flow yet: connect it first.`);
  const scope = toScope(flow, node.parent ?? "", node.name);
  const tree = treeOf(flow, scope);
  if (!tree) return refuse("Members here have no order to move in. Their links can be changed in the inspector.");
  const move = moveMember(tree, node.name, way, {
    isHolder: (name) => isHolder(flow, name),
    isRoot: scope.type === "root",
  });
  if (move.type === "refused") return refuse(move.message);
  if (move.type === "moved") return { ok: true, edits: [write(flow, scope, move.tree)] };
  if (move.type === "into") return moveInto(flow, scope, node.name, move.name);
  return moveOut(flow, nodes, node.parent ?? "", { scope, tree, name: node.name });
}

const isHolder = (flow: Flow, name: string): boolean => {
  const found = findDeclaration(flow, name);
  return found !== null && found.kind !== "agent" && found.kind !== "approval";
};

/** What a scope says, where members have an order. */
function treeOf(flow: Flow, scope: Scope): Expression | null {
  const topology = isWorkflow(flow, scope) ? topologyOf(flow, scope) : null;
  return topology && "expression" in topology ? topology.expression : null;
}

const write = (flow: Flow, scope: Scope, tree: Expression): Edit => ({
  type: "set-flow-text",
  scope,
  text: printFlow(tree, { as: textKind(flow, scope) }),
});

const takeOut = (scope: Scope, name: string): Edit => ({
  type: "delete-nodes",
  scope,
  names: [name],
  declarations: false,
});

/** To the end of a group, swarm or control that stands before it. */
function moveInto(flow: Flow, from: Scope, name: string, holder: string): Gesture {
  const scope = toScope(flow, nodeKey("", holder), "");
  const tree = treeOf(flow, scope);
  if (!tree) return refuse(`"${holder}" has no order that "${name}" could join. Connect it in the inspector instead.`);
  if (namesOf(tree).some((one) => one.name === name)) return refuse(`"${holder}" holds "${name}" already.`);
  const join = partOf(flow, scope)?.type === "parallel" ? parallelExpression : serialExpression;
  return { ok: true, edits: [takeOut(from, name), write(flow, scope, join([tree, nameExpression(name)]))] };
}

/** Behind the group, swarm or control that it leaves. */
function moveOut(
  flow: Flow,
  nodes: NodeIndex,
  parent: NodeKey,
  { scope, tree, name }: { scope: Scope; tree: Expression; name: string },
): Gesture {
  const holder = nodes.get(parent);
  if (!holder) return refuse(`"${name}" is in no group or parentheses that it could leave.`);
  if (tree.type === "name") return refuse(`"${name}" is all that "${holder.name}" holds. Delete the group instead.`);
  const outer = toScope(flow, parentKey(parent), holder.name);
  const outerTree = treeOf(flow, outer);
  if (!outerTree) return refuse(`What holds "${holder.name}" has no order that "${name}" could join.`);
  if (namesOf(outerTree).some((one) => one.name === name)) return refuse(`"${name}" stands there already.`);
  return { ok: true, edits: [takeOut(scope, name), write(flow, outer, insertAfter(outerTree, holder.name, name))] };
}
