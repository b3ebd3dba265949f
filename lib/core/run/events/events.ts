import * as z from "zod/mini";
import { jsonSchema } from "../../flow/schemas/flow-schemas";
import { runParametersSchema } from "../../flow/schemas/run-parameters";
import { runStatuses } from "./run-status";
import { usageSchema } from "./usage-schema";

export const runStatusSchema = z.enum(runStatuses);

/** Kinds of RunNode; `run-node-traits.ts` has their properties. */
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

/** Why a run or node did not succeed. */
export const runErrorSchema = z.strictObject({
  /** One of `runErrorCodes`; a text, so that runs of other versions can be read. */
  code: z.string(),
  /** What happened, in plain words. */
  message: z.string(),
  /** Path of the RunNode that failed first. */
  path: z.optional(z.string()),
});
export type RunError = z.infer<typeof runErrorSchema>;

/**
 * A text that may be large. If the full text is stored elsewhere, `text` is its beginning and `length` its full length in
 * UTF-16 units; otherwise `length` is missing.
 */
export const payloadSchema = z.strictObject({ text: z.string(), length: z.optional(z.int()) });
export type Payload = z.infer<typeof payloadSchema>;

/** A requested parameter that was not sent, and why. */
export const droppedParameterSchema = z.strictObject({ parameter: z.string(), reason: z.string() });
export type DroppedParameter = z.infer<typeof droppedParameterSchema>;

/** A request for human input during a run. */
export const humanInputRequestSchema = z.strictObject({
  /** `approval`: of a text; `tool`: approval of a tool call; `question`: an agent asks. */
  type: z.enum(["approval", "tool", "question"]),
  message: z.string(),
  /** approval: the text. tool: the arguments as JSON text. */
  text: z.optional(z.string()),
  /** question: the answer must be one of these. */
  choices: z.optional(z.array(z.string())),
  /** tool: the JSON Schema that the arguments must fit. */
  schema: z.optional(z.record(z.string(), jsonSchema)),
  /** approval, tool: only as it is, because steps of an earlier run are reused with it. */
  fixed: z.optional(z.boolean()),
});
export type HumanInputRequest = z.infer<typeof humanInputRequestSchema>;

export const humanInputAnswerSchema = z.strictObject({
  decision: z.enum(["approved", "rejected"]),
  /** Name of the user who answered. */
  by: z.string(),
  /** Why it was rejected. */
  reason: z.optional(z.string()),
  /** approval: the text instead. tool: the arguments instead, as JSON text. question: the answer. */
  text: z.optional(z.string()),
});
export type HumanInputAnswer = z.infer<typeof humanInputAnswerSchema>;

/** 1, 2, 3 … in order of starting, unique within its run. */
const nodeIdSchema = z.int().check(z.positive());

/** How a node, or the run, ended. */
const endFields = {
  status: runStatusSchema,
  /** swarm, group, agent, llm_call: the answer text. tool_call: the result. Partial results of failures are kept. */
  output: payloadSchema,
  /** llm_call: its own usage; otherwise the sum of its children. */
  usage: usageSchema,
  error: z.optional(runErrorSchema),
  simulated: z.optional(z.boolean()),
};

const defineEvent = <Type extends string, Fields extends z.core.$ZodLooseShape>(type: Type, fields: Fields) =>
  z.strictObject({
    /** 1, 2, 3 … per run, without gaps. */
    seq: z.int().check(z.positive()),
    /** Milliseconds since the epoch, never decreasing within a run. */
    at: z.number(),
    type: z.literal(type),
    ...fields,
  });

const defineNodeEvent = <Type extends string, Fields extends z.core.$ZodLooseShape>(type: Type, fields: Fields) =>
  defineEvent(type, { id: nodeIdSchema, ...fields });

/** Append-only, numbered per run: the engine yields them, the database stores them, SSE sends them, the timeline folds them. */
export const runEventSchema = z.discriminatedUnion("type", [
  /** `simulated`: every model of the flow is simulated by the provider `demo`. `parameters`: limits of all agents of this run. */
  defineEvent("run.started", {
    input: payloadSchema,
    flow: z.string(),
    simulated: z.optional(z.boolean()),
    parameters: z.optional(runParametersSchema),
  }),
  defineNodeEvent("node.started", {
    /** Missing for the root swarm. */
    parent: z.optional(nodeIdSchema),
    /**
     * Stable, unique within the run: the node key, with a suffix after `#` where a name runs more than once. Below an agent
     * `key#llm-1`, `key#llm-1#tool-1`; in round 2 of a loop `loop#2/name`; the second visit in a handoff swarm `name#2`, of a loop
     * `name#visit-2`; a
     * worker that tool 1 of the lead's model call 3 calls `name#call-3-1`; the second spawned agent `name#spawn-2`.
     */
    path: z.string(),
    kind: z.enum(runNodeKinds),
    /** Declared name; the model for LLM calls; the tool for tool calls. */
    name: z.string(),
    /** swarm, group, agent: the input text. llm_call: the messages as JSON. tool_call: the raw arguments. */
    input: payloadSchema,
  }),
  /** On request, no further step begins, and none is under way. The next event is `run.resumed`, or the run's end. */
  defineEvent("run.paused", {}),
  /** Another executor continues the run: the one before had stopped, or the run was paused. */
  defineEvent("run.resumed", {}),
  /** llm_call: the request body as sent, as JSON text. Once for each attempt. */
  defineNodeEvent("request.sent", {
    provider: z.string(),
    url: z.string(),
    body: payloadSchema,
    /** Parameters of the agent that the body leaves out. */
    dropped: z.optional(z.array(droppedParameterSchema)),
  }),
  /** llm_call: the provider's response, assembled from its stream as one JSON text, with its usage as reported. */
  defineNodeEvent("response.received", { body: payloadSchema }),
  defineNodeEvent("text.appended", { text: z.string() }),
  defineNodeEvent("reasoning.appended", { text: z.string() }),
  defineNodeEvent("attempt.failed", {
    attempt: z.int().check(z.positive()),
    error: runErrorSchema,
    /** The wait before the next attempt; missing: there is none. */
    waitMs: z.optional(z.number()),
    /** What it used, estimated; missing: nothing, or it was recorded by a version until 2026-11. */
    usage: z.optional(usageSchema),
  }),
  /** llm_call: the time, in milliseconds, that an attempt waited for its turn at the provider. */
  defineNodeEvent("attempt.queued", { waitMs: z.number() }),
  /**
   * A remark on the node. Codes: `empty-input`, `trimmed`, `loop-limit`, `fallback`, `schema`, `approval-again`,
   * `provider-deviation`, and the warnings of `warnings.ts`.
   */
  defineNodeEvent("node.noted", { code: z.string(), message: z.string() }),
  /** branch: the side that it takes, `if_true` or `if_false`. loop: its list as JSON text, where it depends on outputs of other steps. */
  defineNodeEvent("decision.made", { decision: z.string() }),
  /** agent: it received a message while it was running. `by`: the sender, if known. */
  defineNodeEvent("message.injected", {
    text: z.string(),
    by: z.optional(z.string()),
    /** Its number among the stored messages of the run. */
    message: z.optional(z.number()),
  }),
  /** The node waits for human input, until `answer.given`. */
  defineNodeEvent("answer.requested", { request: humanInputRequestSchema }),
  defineNodeEvent("answer.given", { answer: humanInputAnswerSchema }),
  defineNodeEvent("node.finished", {
    ...endFields,
    /**
     * Facts by kind: group `{order}` (`parallel`, `serial`), llm_call `{finishReason, toolCalls, written, model, price, decision, wasTrimmed}`, agent `{steps, signature, decisions, value, schema}`,
     * tool_call `{isError, decision}` (`decision`: the number, from 1, of the agent's decision that led to it), handoff `{from, to}`, branch `{taken}`, router `{lane}`, loop
     * {rounds, ended}`; of a step that a fork took over also `{reused, ran}`, where `ran` is when it began and ended. Large facts that are stored elsewhere are shortened or left out, and `cut` is true.
     */
    metadata: z.optional(z.record(z.string(), jsonSchema)),
  }),
  defineEvent("run.finished", endFields),
]);
export type RunEvent = z.infer<typeof runEventSchema>;
export type RunEventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;
