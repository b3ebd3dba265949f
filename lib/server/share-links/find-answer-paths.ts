import "server-only";
import { sinksOf } from "@/lib/core/flow/expression";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { keyNames, type NodeKey, nodeKey } from "@/lib/core/flow/node-key";

interface LastStep {
  path: NodeKey;
  agent: string;
}

/**
 * Paths of the steps that write nothing but the answer of a flow: agents without a successor, i.e. the last one, or all members
 * of a group that comes last. Agents with tools or a schema are left out: they also write what only the flow reads. Empty where
 * another kind of node has the last word, e.g. an approval, and where the members have no order.
 */
export function findAnswerPaths(flow: Flow): NodeKey[] {
  const { swarm } = flow;
  if (swarm.mode !== "workflow" || !swarm.flow) return [];
  const last = sinksOf(swarm.flow).map((name) => findLastSteps(flow, name, ""));
  if (last.some((steps) => steps === null)) return [];
  return last.flatMap((steps) => steps ?? []).flatMap(({ path, agent }) => (isAnswering(flow, agent) ? [path] : []));
}

function isAnswering(flow: Flow, name: string): boolean {
  const agent = flow.agents.get(name);
  return agent !== undefined && (agent.tools ?? []).length === 0 && agent.output_schema === undefined;
}

/** Null: it is, or ends with, another kind of node. */
function findLastSteps(flow: Flow, name: string, parent: NodeKey): LastStep[] | null {
  const declaration = findDeclaration(flow, name);
  const path = nodeKey(parent, name);
  if (declaration?.type === "agent") return [{ path, agent: name }];
  if (declaration?.type !== "group" || !declaration.flow || keyNames(parent).includes(name)) return null;
  const members = sinksOf(declaration.flow).map((member) => findLastSteps(flow, member, path));
  return members.some((steps) => steps === null) ? null : members.flatMap((steps) => steps ?? []);
}
