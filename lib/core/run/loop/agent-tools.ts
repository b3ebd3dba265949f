import type { Agent } from "../../kinds/agent";
import type { Tool } from "../ports/tool";
import type { Engine } from "../scope/engine";
import { askHuman } from "./ask-human";
import type { EngineTool } from "./engine-tool";

export type AgentTool = Tool | EngineTool;

/** Whether calls of this tool need approval: the flow or the server requires it. */
export const requiresApproval = ({ context }: Engine, agent: Agent, tool: string): boolean =>
  agent.needs_approval.includes(tool) || context.approvalRequired?.has(tool) === true;

const noTools: ReadonlyMap<string, AgentTool> = new Map();

/** An agent's tools by name, followed by those of the engine; or a message why it cannot have them. */
export function findAgentTools(
  engine: Engine,
  agent: Agent,
  engineTools: readonly EngineTool[],
): ReadonlyMap<string, AgentTool> | string {
  if (agent.tools.length === 0 && engineTools.length === 0) return noTools;
  const tools = new Map<string, AgentTool>();
  for (const name of agent.tools) {
    const tool = name === askHuman.spec.name ? askHuman : engine.context.tools.find(name);
    if (!tool) return `"${agent.name}" uses the tool "${name}", which does not exist. Take it out of its tools.`;
    tools.set(name, tool);
  }
  for (const tool of engineTools) {
    const { name } = tool.spec;
    if (tools.has(name))
      return `"${agent.name}" has a tool "${name}" of its own, but the swarm gives it one of that name. Rename the member, or take the tool out.`;
    tools.set(name, tool);
  }
  return tools;
}
