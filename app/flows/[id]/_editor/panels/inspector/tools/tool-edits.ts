import type { Edit } from "@/lib/core/flow/edit";
import type { Agent } from "@/lib/core/kinds/agent";

/** Adds a name to a list of the agent, or removes it. */
export function toggleEntry(agent: Agent, field: "tools" | "needs_approval", entry: string, isOn: boolean): Edit {
  const remaining = agent[field].filter((name) => name !== entry);
  const value = isOn ? [...remaining, entry] : remaining;
  return { type: "set-agent-field", name: agent.name, field, value: value.length === 0 ? undefined : value };
}

/** A removed tool loses its approval as well. */
export const setTool = (agent: Agent, tool: string, isOn: boolean): Edit[] => [
  toggleEntry(agent, "tools", tool, isOn),
  ...(!isOn && agent.needs_approval.includes(tool) ? [toggleEntry(agent, "needs_approval", tool, false)] : []),
];
