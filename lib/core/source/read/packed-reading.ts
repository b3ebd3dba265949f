import { parse, stringify } from "devalue";
import { isJsonObject, parseJson } from "../../flow/parse-json";
import type { Agent } from "../../kinds/agent";
import { agentDefaults } from "../../kinds/agent-defaults";
import type { FlowReading, SourceDocument } from "./source-document";

type PackedAgent = Partial<Omit<Agent, "output_schema">> & { name: string; output_schema?: string };

type PackedReading = Omit<FlowReading, "text" | "flow"> & {
  flow: Omit<FlowReading["flow"], "agents"> & { agents: PackedAgent[] };
};

/**
 * What a flow file says, as a text for the browser, without the file itself. Agents, of which there may be thousands, leave out
 * what has its default.
 */
export function packReading({ flow, problems, broken, unreadableRanges, unreadRootFlow }: SourceDocument): string {
  const agents = Array.from(flow.agents.values(), packAgent);
  const packed: PackedReading = {
    flow: { ...flow, agents },
    problems,
    broken,
    unreadableRanges,
    unreadRootFlow,
  };
  return stringify(packed);
}

/** `text` is the flow file. Accepts texts of `packReading` only. */
export function unpackReading(text: string, packedReading: string): FlowReading {
  const { flow, ...reading }: PackedReading = parse(packedReading);
  const agents = new Map(flow.agents.map((agent) => [agent.name, unpackAgent(agent)]));
  return { text, ...reading, flow: { ...flow, agents } };
}

const defaults = new Map<string, unknown>(Object.entries({ type: "agent", ...agentDefaults }));

const isDefault = (key: string, value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : defaults.has(key) && defaults.get(key) === value;

function packAgent({ output_schema: schema, ...agent }: Agent): PackedAgent {
  const fields = Object.entries(agent).filter(([key, value]) => !isDefault(key, value));
  // Its keys are a user's: any text, also one that objects must not have.
  return { name: agent.name, ...Object.fromEntries(fields), ...(schema && { output_schema: JSON.stringify(schema) }) };
}

function unpackAgent({ output_schema: packedSchema, ...fields }: PackedAgent): Agent {
  const schema = packedSchema === undefined ? undefined : parseJson(packedSchema);
  const agent: Agent = { type: "agent", ...agentDefaults, tools: [], needs_approval: [], ...fields };
  return isJsonObject(schema) ? { ...agent, output_schema: schema } : agent;
}
