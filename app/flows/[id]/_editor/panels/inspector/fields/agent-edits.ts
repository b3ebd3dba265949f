import type { AgentField, Edit } from "@/lib/core/flow/edit";
import type { Agent } from "@/lib/core/kinds/agent";
import type { AgentFieldOf } from "@/lib/core/kinds/field-types";

export const setAgentField = (
  { name }: Agent,
  field: AgentField,
  value: Extract<Edit, { type: "set-agent-field" }>["value"],
): Edit => ({ type: "set-agent-field", name, field, value });

/** Adds a name to a list of the agent, or removes it. */
export function toggleEntry(agent: Agent, field: AgentFieldOf<"list">, entry: string, isOn: boolean): Edit {
  const remaining = agent[field].filter((name) => name !== entry);
  const value = isOn ? [...remaining, entry] : remaining;
  return setAgentField(agent, field, value.length === 0 ? undefined : value);
}

/** A removed tool loses its approval as well. */
export const setTool = (agent: Agent, tool: string, isOn: boolean): Edit[] => [
  toggleEntry(agent, "tools", tool, isOn),
  ...(!isOn && agent.needs_approval.includes(tool) ? [toggleEntry(agent, "needs_approval", tool, false)] : []),
];
