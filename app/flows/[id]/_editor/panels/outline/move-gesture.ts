import { printFlow } from "@/lib/core/dsl/print";
import type { Scope } from "@/lib/core/flow/edit";
import type { Expression } from "@/lib/core/flow/expression";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { type MoveWay, moveMember } from "@/lib/core/flow/move-in-expression";
import { type NodeKey, nodeKey, parentKey } from "@/lib/core/flow/node-key";
import { kindOf } from "@/lib/core/kinds/registry";
import type { NodeIndex } from "@/lib/core/layout/scene/node-index";
import { isWorkflow, textKind, topologyOf } from "@/lib/core/source/read/topology";
import { type EditPlan, toScope } from "../../state/edits/node-edits";

const refuse = (message: string): EditPlan => ({ ok: false, message });

export function toMoveEdits(flow: Flow, nodes: NodeIndex, key: NodeKey, way: MoveWay): EditPlan {
  const node = nodes.get(key);
  if (!node) return refuse("That node is not in the flow any more.");
  if (!node.placed) return refuse(`"${node.name}" is not in the flow yet: connect it first.`);
  const { name } = node;
  const scope = toScope(flow, node.parent ?? "", name);
  const tree = treeOf(flow, scope);
  if (!tree && way !== "out")
    return refuse("Members here have no order to move in. Their links can be changed in the inspector.");
  const isRoot = scope.type === "root";
  const move = tree
    ? moveMember(tree, name, way, { isContainer: (candidate) => isHolder(flow, candidate), isRoot })
    : { type: "leaves" as const };
  if (move.type === "refused") return refuse(move.message);
  if (move.type === "moved")
    return {
      ok: true,
      edits: [{ type: "set-flow-text", scope, text: printFlow(move.tree, { as: textKind(flow, scope) }) }],
    };
  if (move.type === "into") {
    const targetScope = toScope(flow, nodeKey("", move.name), "");
    return { ok: true, edits: [{ type: "move-member", name, from: scope, scope: targetScope }] };
  }
  const holder = nodes.get(node.parent ?? "");
  if (!holder) return refuse(`"${name}" is in no group or parentheses to leave.`);
  const outer = toScope(flow, parentKey(holder.key), holder.name);
  const position = { member: holder.name, side: "after" as const };
  return { ok: true, edits: [{ type: "move-member", name, from: scope, scope: outer, at: position }] };
}

const isHolder = (flow: Flow, name: string): boolean => {
  const declaration = findDeclaration(flow, name);
  return declaration !== null && kindOf(declaration).isContainer;
};

function treeOf(flow: Flow, scope: Scope): Expression | null {
  const topology = isWorkflow(flow, scope) ? topologyOf(flow, scope) : null;
  return topology && "expression" in topology ? topology.expression : null;
}
