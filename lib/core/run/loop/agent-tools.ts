import { z } from "zod";
import type { Agent } from "../../kinds/agent";
import type { NodeResult } from "../events/event-recorder";
import type { ToolSpec } from "../ports/model";
import type { Tool } from "../ports/tool";
import type { Engine, RunPosition } from "../scope/engine";
import { askHuman } from "./ask-human";

/** A tool that the engine itself performs: it may run further steps below the node of its call. */
export interface EngineTool {
  spec: ToolSpec;
  input: z.ZodType;
  /** `place` is inside the tool_call node; its `mark` is what names called from here bear. */
  perform(input: unknown, place: RunPosition): Promise<NodeResult>;
}

export type AgentTool = Tool | EngineTool;

/** The engine's tool whose arguments are `input`. */
export function defineEngineTool<Input>(definition: {
  name: string;
  description: string;
  input: z.ZodType<Input>;
  perform(input: Input, place: RunPosition): Promise<NodeResult>;
}): EngineTool {
  const { name, description, input, perform } = definition;
  const { $schema: _, ...parameters } = z.toJSONSchema(input, { io: "input" });
  return {
    spec: { name, description, parameters: parametersSchema.parse(parameters) },
    input,
    perform: (given, place) => perform(input.parse(given), place),
  };
}

const parametersSchema = z.record(z.string(), z.json());

/** Whether a call of this tool waits for a person: the flow or the server requires it. */
export const requiresApproval = ({ context }: Engine, agent: Agent, tool: string): boolean =>
  agent.needs_approval.includes(tool) || context.approvalRequired?.has(tool) === true;

const noTools: ReadonlyMap<string, AgentTool> = new Map();

/** An agent's tools by name, those of the engine behind its own; or why there are none. */
export function findAgentTools(
  engine: Engine,
  agent: Agent,
  inner: readonly EngineTool[],
): ReadonlyMap<string, AgentTool> | string {
  if (agent.tools.length === 0 && inner.length === 0) return noTools;
  const tools = new Map<string, AgentTool>();
  for (const name of agent.tools) {
    const tool = name === askHuman.spec.name ? askHuman.bind(engine) : engine.context.tools.find(name);
    if (!tool) return `"${agent.name}" uses the tool "${name}", which does not exist. Take it out of its tools.`;
    tools.set(name, tool);
  }
  for (const tool of inner) {
    const { name } = tool.spec;
    if (tools.has(name))
      return `"${agent.name}" has a tool "${name}" of its own, but the swarm gives it one of that name. Rename the member, or take the tool out.`;
    tools.set(name, tool);
  }
  return tools;
}
