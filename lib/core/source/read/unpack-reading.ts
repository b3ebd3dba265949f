import { parse } from "devalue";
import { isJsonObject, parseJson } from "../../flow/parse-json";
import type { Agent } from "../../kinds/agent";
import { agentDefaults } from "../../kinds/agent-defaults";
import type { FlowReading } from "./source-document";

export type PackedAgent = Partial<Omit<Agent, "output_schema">> & { name: string; output_schema?: string };

export type PackedReading = Omit<FlowReading, "text" | "flow"> & {
  flow: Omit<FlowReading["flow"], "agents"> & { agents: PackedAgent[] };
};

/** `text` is the flow file. Accepts texts of `packReading` only. */
export function unpackReading(text: string, packedReading: string): FlowReading {
  const { flow, ...reading }: PackedReading = parse(packedReading);
  const agents = new Map(flow.agents.map((agent) => [agent.name, unpackAgent(agent)]));
  return { text, ...reading, flow: { ...flow, agents } };
}

function unpackAgent({ output_schema: packedSchema, ...fields }: PackedAgent): Agent {
  const schema = packedSchema === undefined ? undefined : parseJson(packedSchema);
  const agent: Agent = { type: "agent", ...agentDefaults, tools: [], needs_approval: [], ...fields };
  return isJsonObject(schema) ? { ...agent, output_schema: schema } : agent;
}
