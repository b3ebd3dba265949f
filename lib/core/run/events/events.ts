import * as z from "zod/mini";
import { jsonSchema } from "../../flow/flow";
import { usageSchema } from "./usage";

/** `WAITING`: for a person. The last four are terminal and never change. */
export const runStatuses = ["INIT", "RUNNING", "WAITING", "SUCCESS", "FAILED", "TIMEOUT", "CANCELLED"] as const;
export type RunStatus = (typeof runStatuses)[number];
export const runStatusSchema = z.enum(runStatuses);

export const isTerminal = (status: RunStatus): boolean =>
  status === "SUCCESS" || status === "FAILED" || status === "TIMEOUT" || status === "CANCELLED";

/** Whether a run or a step with this status failed itself. */
export const isFailure = (status: RunStatus): boolean => status === "FAILED" || status === "TIMEOUT";

/** Kinds of RunNode. */
export const runNodeKinds = [
  "swarm",
  "group",
  "agent",
  "llm_call",
  "tool_call",
  "handoff",
  "approval",
  "branch",
  "router",
  "loop",
  "round",
] as const;
export type RunNodeKind = (typeof runNodeKinds)[number];

/** Whether steps of this kind only hold others. */
export const isContainerKind = (kind: RunNodeKind): boolean =>
  kind === "swarm" || kind === "group" || kind === "branch" || kind === "loop" || kind === "round";

/** Why a run or a node did not succeed. */
export const runErrorSchema = z.strictObject({
  /** One of `runErrorCodes`; a text, so that a run of another version can be read. */
  code: z.string(),
  /** What happened, in plain words. */
  message: z.string(),
  /** Path of the RunNode that failed first. */
  path: z.optional(z.string()),
});
export type RunError = z.infer<typeof runErrorSchema>;

/**
 * A text that may be large. When the store holds the whole of it elsewhere, `text` is the beginning and `length` the
 * whole length in UTF-16 units; else `length` is missing.
 */
export const payloadSchema = z.strictObject({ text: z.string(), length: z.optional(z.int()) });
export type Payload = z.infer<typeof payloadSchema>;

/** A parameter that was asked for and not sent, and why. */
export const droppedParameterSchema = z.strictObject({ parameter: z.string(), reason: z.string() });
export type DroppedParameter = z.infer<typeof droppedParameterSchema>;

/** What a person is asked in the middle of a run. */
export const humanInputRequestSchema = z.strictObject({
  /** `approval`: may this text go on; `tool`: may this tool run; `question`: an agent asks. */
  type: z.enum(["approval", "tool", "question"]),
  message: z.string(),
  /** approval: the text. tool: the arguments as JSON text. */
  text: z.optional(z.string()),
  /** question: one of these is wanted. */
  choices: z.optional(z.array(z.string())),
  /** tool: the JSON Schema that the arguments must fit. */
  schema: z.optional(z.record(z.string(), jsonSchema)),
});
export type HumanInputRequest = z.infer<typeof humanInputRequestSchema>;

export const humanInputAnswerSchema = z.strictObject({
  decision: z.enum(["approved", "rejected"]),
  /** Who answered. */
  by: z.string(),
  /** Why it was rejected. */
  reason: z.optional(z.string()),
  /** approval: the text instead. tool: the arguments instead, as JSON text. question: the answer. */
  text: z.optional(z.string()),
});
export type HumanInputAnswer = z.infer<typeof humanInputAnswerSchema>;

const base = {
  /** 1, 2, 3 … per run, no gaps. */
  seq: z.int().check(z.positive()),
  /** Milliseconds since the epoch, never decreasing within a run. */
  at: z.number(),
};
/** `id` of a node: 1, 2, 3 … in order of starting, unique within its run. */
const node = z.int().check(z.positive());

/** Append-only, numbered per run: what the engine yields, the database stores, SSE sends and the timeline folds. */
export const runEventSchema = z.discriminatedUnion("type", [
  z.strictObject({ ...base, type: z.literal("run.started"), input: payloadSchema, flow: z.string() }),
  z.strictObject({
    ...base,
    type: z.literal("node.started"),
    id: node,
    /** Missing for the root swarm. */
    parent: z.optional(node),
    /**
     * Stable, unique within the run: the node key, with a mark behind `#` where a name runs more than once. Below an agent
     * `key#llm-1`, `key#llm-1#tool-1`; in round 2 of a loop `loop#2/name`; the second visit in a handoff swarm `name#2`; a
     * worker that tool 1 of the lead's model call 3 calls `name#call-3-1`; the second spawned agent `name#spawn-2`.
     */
    path: z.string(),
    kind: z.enum(runNodeKinds),
    /** Declared name; the model for LLM calls; the tool for tool calls. */
    name: z.string(),
    /** swarm, group, agent: the input text. llm_call: the messages as JSON. tool_call: the arguments as the model wrote them. */
    input: payloadSchema,
  }),
  /** llm_call: the body that went over the wire, as JSON text. Once for each attempt. */
  z.strictObject({
    ...base,
    type: z.literal("request.sent"),
    id: node,
    provider: z.string(),
    url: z.string(),
    body: payloadSchema,
    /** What the body leaves out although the agent asks for it. */
    dropped: z.optional(z.array(droppedParameterSchema)),
  }),
  /** llm_call: what the provider said, as one JSON text put together from the wire, its usage as it was reported. */
  z.strictObject({ ...base, type: z.literal("response.received"), id: node, body: payloadSchema }),
  z.strictObject({ ...base, type: z.literal("text.appended"), id: node, text: z.string() }),
  z.strictObject({ ...base, type: z.literal("reasoning.appended"), id: node, text: z.string() }),
  z.strictObject({
    ...base,
    type: z.literal("attempt.failed"),
    id: node,
    attempt: z.int().check(z.positive()),
    error: runErrorSchema,
    /** How long the engine waits before the next attempt; missing: there is none. */
    waitMs: z.optional(z.number()),
  }),
  /** llm_call: an attempt waited for its turn at the provider for so long, in milliseconds. */
  z.strictObject({ ...base, type: z.literal("attempt.queued"), id: node, waitMs: z.number() }),
  /**
   * Something that a reader of the run should know. Codes: `empty-input`, `trimmed`, `loop-limit`, `fallback`, `schema`,
   * `provider-deviation`, and the warnings of `warnings.ts`.
   */
  z.strictObject({ ...base, type: z.literal("node.noted"), id: node, code: z.string(), message: z.string() }),
  /** agent: somebody put a message into its conversation while it ran. */
  z.strictObject({
    ...base,
    type: z.literal("message.injected"),
    id: node,
    text: z.string(),
    /** Who sent it, where that is known. */
    by: z.optional(z.string()),
  }),
  /** The node waits for a person; it goes on with `answer.given`. */
  z.strictObject({ ...base, type: z.literal("answer.requested"), id: node, request: humanInputRequestSchema }),
  z.strictObject({ ...base, type: z.literal("answer.given"), id: node, answer: humanInputAnswerSchema }),
  z.strictObject({
    ...base,
    type: z.literal("node.finished"),
    id: node,
    status: runStatusSchema,
    /** swarm, group, agent, llm_call: the answer text. tool_call: the result. Partial results of failures are kept. */
    output: payloadSchema,
    /** llm_call: its own; everything above: the sum of what is below. */
    usage: usageSchema,
    error: z.optional(runErrorSchema),
    /**
     * Facts by kind: group `{order}` (`parallel`, `serial`), llm_call `{finishReason, toolCalls, model, price, decision}`, agent `{steps, signature, decisions, value, schema}`,
     * tool_call `{isError, decision}` (`decision`: the place, from 1, of the agent's decision that led to it), handoff `{from, to}`, branch `{taken}`, router `{lane}`, loop
     * `{rounds, ended}`. Where the store holds large facts elsewhere they are shortened or left out, and `cut` is true.
     */
    metadata: z.optional(z.record(z.string(), jsonSchema)),
    simulated: z.optional(z.boolean()),
  }),
  z.strictObject({
    ...base,
    type: z.literal("run.finished"),
    status: runStatusSchema,
    output: payloadSchema,
    usage: usageSchema,
    error: z.optional(runErrorSchema),
    simulated: z.optional(z.boolean()),
  }),
]);
export type RunEvent = z.infer<typeof runEventSchema>;
export type RunEventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;
