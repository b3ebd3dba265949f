import type { Json } from "../../flow/flow";
import { isJsonList, isJsonObject, parseJson } from "../../flow/parse-json";
import { type Agent, agentKind } from "../../kinds/agent";
import type { FlowReading } from "./source-document";

export type PackedAgent = Partial<Omit<Agent, "output_schema">> & { name: string; output_schema?: string };

export type PackedReading = Omit<FlowReading, "text" | "flow"> & {
  flow: Omit<FlowReading["flow"], "agents"> & { agents: PackedAgent[] };
};

/** A map, which JSON has not. Nothing else that a flow file says has this key: its only free objects are packed as texts. */
const readMap = (_: string, value: Json): unknown =>
  isJsonObject(value) && isJsonList(value.entries) ? new Map(value.entries.filter(isEntry)) : value;

const isEntry = (entry: Json): entry is [Json, Json] => isJsonList(entry) && entry.length === 2;

/** `text` is the flow file. Accepts texts of `packReading` only. */
export function unpackReading(text: string, packedReading: string): FlowReading {
  const { flow, ...reading }: PackedReading = JSON.parse(packedReading, readMap);
  const agents = new Map(flow.agents.map((agent) => [agent.name, unpackAgent(agent)]));
  return { text, ...reading, flow: { ...flow, agents } };
}

function unpackAgent({ output_schema: packedSchema, ...fields }: PackedAgent): Agent {
  const schema = packedSchema === undefined ? undefined : parseJson(packedSchema);
  const agent: Agent = { ...agentKind.create(fields.name), ...fields };
  return isJsonObject(schema) ? { ...agent, output_schema: schema } : agent;
}
