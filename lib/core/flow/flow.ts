import { z } from "zod";
import type { Expression } from "./expression";

/** A JSON value, as a user's schema or a tool's arguments hold it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type JsonSchema = { readonly [key: string]: Json };

export const limits = {
  /** Largest source text that is read at all, in UTF-16 units. */
  sourceLength: 2_000_000,
  /** Largest number of declared agents, groups and swarms together. */
  declarations: 50_000,
  /** Deepest nesting of parentheses, groups and swarms. */
  depth: 200,
} as const;

export const agentDefaults = { max_steps: 10, max_retries: 3, loop_threshold: 3 } as const;

/** The declared name rules: trimmed, not empty, no control characters, at most 200 characters. The DSL quotes the rest. */
export const nameSchema = z
  .string()
  .min(1)
  .max(200)
  .refine((name) => name === name.trim(), "must not begin or end with a space")
  .refine((name) => !/\p{Cc}/u.test(name), "must not hold control characters");

/** Fields of an agent, under the names that the flow file uses. */
export const agentSchema = z.strictObject({
  model: z.string().min(1).max(200).optional(),
  instructions: z.string().default(""),
  description: z.string().optional(),
  tools: z.array(z.string().min(1)).default([]),
  max_steps: z.number().int().min(1).max(1000).default(agentDefaults.max_steps),
  max_retries: z.number().int().min(0).max(20).default(agentDefaults.max_retries),
  loop_threshold: z.number().int().min(1).max(100).default(agentDefaults.loop_threshold),
  timeout_seconds: z.number().positive().max(86_400).optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.number().int().min(1).max(10_000_000).optional(),
  output_schema: z.custom<JsonSchema>((v) => typeof v === "object" && v !== null && !Array.isArray(v)).optional(),
});
export type Agent = z.infer<typeof agentSchema> & { name: string };

export const groupTypes = ["parallel", "serial"] as const;
export interface Group {
  name: string;
  type: (typeof groupTypes)[number];
  /** The members, joined as `type` says. Missing when the text of the members could not be read. */
  flow?: Expression;
  /** Between the members' outputs, for parallel groups. */
  separator: string;
}
export const defaultSeparator = "\n\n";

export const swarmTypes = ["workflow", "handoff", "team", "orchestrate"] as const;
export interface Swarm {
  /** The declared name; the root swarm's is the flow's name. */
  name: string;
  type: (typeof swarmTypes)[number];
  /** workflow: the topology. Missing when its text could not be read, or while `edges` hold a draft. */
  flow?: Expression;
  /** handoff, team, orchestrate: the members; the first starts or leads. */
  agents?: readonly string[];
  /** handoff: who may hand to whom. workflow: a drawing that no DSL text can say (a draft; it cannot run). */
  edges?: readonly (readonly [string, string])[];
  max_handoffs?: number;
  separator: string;
}

/** The saved document, read. Maps keep the order of the file. */
export interface Flow {
  name: string;
  vars: ReadonlyMap<string, string | number | boolean>;
  compat?: "orbiter";
  agents: ReadonlyMap<string, Agent>;
  groups: ReadonlyMap<string, Group>;
  swarms: ReadonlyMap<string, Swarm>;
  swarm: Swarm;
}

export type Declaration =
  | { kind: "agent"; value: Agent }
  | { kind: "group"; value: Group }
  | { kind: "swarm"; value: Swarm };

/** What `name` is declared as, or null. Agents, groups and swarms share one name space. */
export function findDeclaration(flow: Flow, name: string): Declaration | null {
  const agent = flow.agents.get(name);
  if (agent) return { kind: "agent", value: agent };
  const group = flow.groups.get(name);
  if (group) return { kind: "group", value: group };
  const swarm = flow.swarms.get(name);
  return swarm ? { kind: "swarm", value: swarm } : null;
}
