import type { AgentField, SwarmLimit } from "../flow/edit";
import type { RunLimits } from "../flow/flow";

/** What a field of a flow file holds. */
export type FieldType =
  /** A text of any length for a model; template variables in it are filled in when the node starts. */
  | "prompt"
  /** A text of any length for people. */
  | "prose"
  /** A text on one line. */
  | "line"
  | "condition"
  | "name"
  | "choice"
  | "number"
  | "switch"
  /** Names without an order that counts. */
  | "list"
  | "json"
  /** Steps of the flow, or what contains them. */
  | "topology";

export type FieldTypes = Readonly<Record<string, FieldType>>;

/**
 * How several people write a field at the same time. `lines`, `line`: a text whose letters merge, of any length or on one line.
 * `value`: it is replaced as a whole, and one value stays. `steps`: an edit changes parts of it.
 */
export type SharedWriting = "lines" | "line" | "value" | "steps";

const sharedWritings: Readonly<Record<FieldType, SharedWriting>> = {
  prompt: "lines",
  prose: "lines",
  line: "line",
  condition: "line",
  name: "value",
  choice: "value",
  number: "value",
  switch: "value",
  list: "value",
  json: "value",
  topology: "steps",
};

export const toSharedWriting = (type: FieldType): SharedWriting => sharedWritings[type];

/** Whether a text and another one make sense one after the other. */
export const isProse = (type: FieldType | undefined): boolean =>
  type === "prompt" || type === "prose" || type === "line";

/** The fields of an agent, in the order in which the file documents them. */
export const agentFieldTypes = {
  model: "choice",
  instructions: "prompt",
  description: "line",
  tools: "list",
  tool_calls: "choice",
  max_steps: "number",
  on_limit: "choice",
  max_retries: "number",
  loop_threshold: "number",
  timeout_seconds: "number",
  temperature: "number",
  max_tokens: "number",
  output_schema: "json",
  fallback_model: "choice",
  needs_approval: "list",
  trim_context: "switch",
  use_history: "switch",
} as const satisfies Record<AgentField, FieldType>;

/** The fields of an agent with values of a type. */
export type AgentFieldOf<Type extends FieldType> = {
  [Field in AgentField]: (typeof agentFieldTypes)[Field] extends Type ? Field : never;
}[AgentField];

/** Older names of fields, with the names of today. */
export const agentFieldAliases = { system_prompt: "instructions" } as const satisfies Record<string, AgentField>;

/** The fields of a lane of a router. */
export const routerLaneFieldTypes = { when: "line", flow: "topology" } as const satisfies FieldTypes;

const swarmLimitTypes = {
  max_handoffs: "number",
  max_concurrent: "number",
  max_agents: "number",
} as const satisfies Record<SwarmLimit, FieldType>;

/** The fields of a swarm, also of the one that a file runs. */
export const swarmFieldTypes = {
  type: "choice",
  flow: "topology",
  agents: "topology",
  edges: "topology",
  ...swarmLimitTypes,
  separator: "choice",
  order: "topology",
} as const satisfies FieldTypes;

/** What a file has apart from its declarations. */
export const settingTypes = { name: "name", description: "line" } as const satisfies FieldTypes;

export const limitTypes = {
  max_seconds: "number",
  max_tokens: "number",
  max_cost: "number",
} as const satisfies Record<keyof RunLimits, FieldType>;
