import "server-only";
import { sinksOf } from "@/lib/core/flow/expression";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";

/**
 * The agents without a successor, whose answers are that of the flow: the last one, or all members of a group that comes last.
 * Empty where another kind of node has the last word, e.g. an approval, and where the members have no order.
 */
export function findLastAgents(flow: Flow): string[] {
  const { swarm } = flow;
  if (swarm.mode !== "workflow" || !swarm.flow) return [];
  const last = sinksOf(swarm.flow).map((name) => findAgents(flow, name, new Set()));
  return last.some((names) => names === null) ? [] : [...new Set(last.flatMap((names) => names ?? []))];
}

/** Null: it is, or ends with, another kind of node. */
function findAgents(flow: Flow, name: string, seen: ReadonlySet<string>): string[] | null {
  const declaration = findDeclaration(flow, name);
  if (declaration?.type === "agent") return [name];
  if (declaration?.type !== "group" || !declaration.flow || seen.has(name)) return null;
  const inside = new Set([...seen, name]);
  const members = [...new Set(sinksOf(declaration.flow))].map((member) => findAgents(flow, member, inside));
  return members.some((names) => names === null) ? null : [...new Set(members.flatMap((names) => names ?? []))];
}
