import { parse } from "devalue";
import { isJsonObject, parseJson } from "../../flow/parse-json";
import { type Agent, agentKind } from "../../kinds/agent";
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
  const agent: Agent = { ...agentKind.create(fields.name), ...fields };
  return isJsonObject(schema) ? { ...agent, output_schema: schema } : agent;
}
