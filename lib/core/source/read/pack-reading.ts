import { type Agent, agentKind } from "../../kinds/agent";
import type { SourceDocument } from "./source-document";
import type { PackedAgent, PackedReading } from "./unpack-reading";

/**
 * The longest flow file, in UTF-16 units, of which a browser gets more than the text. Some 9,000 agents: to send what a longer
 * one says takes longer than to read it there.
 */
export const longestPacked = 800_000;

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
  return JSON.stringify(packed, (_, value) => (value instanceof Map ? { entries: [...value] } : value));
}

const defaults = new Map<string, unknown>(Object.entries(agentKind.create("")));

const isDefault = (key: string, value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : defaults.has(key) && defaults.get(key) === value;

function packAgent({ output_schema: schema, ...agent }: Agent): PackedAgent {
  const fields = Object.entries(agent).filter(([key, value]) => !isDefault(key, value));
  // Its keys are a user's: any text, also one that objects must not have.
  return { name: agent.name, ...Object.fromEntries(fields), ...(schema && { output_schema: JSON.stringify(schema) }) };
}
