import * as z from "zod/mini";
import type { Json } from "../../flow/flow";
import { jsonSchema } from "../../flow/schemas/flow-schemas";
import { runParametersSchema } from "../../flow/schemas/run-parameters";
import {
  droppedParameterSchema,
  humanInputAnswerSchema,
  humanInputRequestSchema,
  type Payload,
  payloadSchema,
  runErrorSchema,
  runNodeKinds,
  runStatusSchema,
} from "../../run/events/events";
import { usageSchema } from "../../run/events/usage-schema";

/** Milliseconds since the epoch, as far as dates go. */
export const timeSchema = z.number().check(z.gte(0), z.lte(8.64e15));
const durationSchema = z.number().check(z.gte(0));
const idSchema = z.int().check(z.positive(), z.lte(0x7fffffff));

/** A text that is whole. */
export const wholeTextSchema = z.strictObject({ text: z.string() });

const toFields = <Text extends z.ZodMiniType<Payload>>(textSchema: Text) => ({
  id: idSchema,
  parent: z.optional(idSchema),
  path: z.string(),
  kind: z.enum(runNodeKinds),
  name: z.string(),
  status: runStatusSchema,
  startedAt: timeSchema,
  endedAt: z.optional(timeSchema),
  /** First streamed text or reasoning. */
  firstTokenAt: z.optional(timeSchema),
  input: textSchema,
  output: textSchema,
  reasoning: z.string(),
  /** llm_call: what went over the wire, last attempt; `at`: when. */
  request: z.optional(
    z.strictObject({
      provider: z.string(),
      url: z.string(),
      body: textSchema,
      at: z.optional(timeSchema),
      dropped: z.optional(z.readonly(z.array(droppedParameterSchema))),
    }),
  ),
  /** llm_call: the provider's response to the last attempt, as JSON text. */
  response: z.optional(textSchema),
  /** Failed attempts, in order. */
  attempts: z.readonly(
    z.array(
      z.strictObject({
        attempt: z.int().check(z.positive()),
        at: timeSchema,
        error: runErrorSchema,
        waitMs: z.optional(durationSchema),
        /** How long the next one then waited for its turn at the provider: a part of the call's `queuedMs`. */
        queuedMs: z.optional(durationSchema),
        /** What it had answered when it was interrupted. */
        output: z.optional(payloadSchema),
      }),
    ),
  ),
  /** llm_call: how long its attempts waited for their turn at the provider, in milliseconds. */
  queuedMs: z.optional(durationSchema),
  /** What a reader of the run should know, in order; `by`: who sent a message to an agent. */
  notes: z.optional(
    z.readonly(
      z.array(z.strictObject({ at: timeSchema, code: z.string(), message: z.string(), by: z.optional(z.string()) })),
    ),
  ),
  /** What a person was asked last (`number`: its event), and the answer. While there is none, the node is WAITING. */
  question: z.optional(z.extend(humanInputRequestSchema, { at: timeSchema, number: idSchema })),
  answer: z.optional(z.extend(humanInputAnswerSchema, { at: timeSchema })),
  usage: usageSchema,
  error: z.optional(runErrorSchema),
  simulated: z.boolean(),
});

/** The facts of a stored step: JSON that was checked when its event was. */
export const storedMetadataSchema = z.record(z.string(), z.custom<Json>());

/** A RunNode as its row contains it: of a large text only the beginning. Fields of other versions are left out. */
export const storedNodeSchema = z.object({
  ...toFields(payloadSchema),
  /** The whole length of `reasoning` in UTF-16 units, where only its beginning is here. */
  reasoningLength: z.optional(z.number()),
  metadata: storedMetadataSchema,
});

/** One persisted step of a run, as folded from its events. Replaced, never changed, when an event concerns it. */
export type RunNode = z.infer<typeof storedNodeSchema>;

/** A RunNode of which every text is whole, checked field by field. */
export const runNodeSchema: z.ZodMiniType<RunNode> = z.strictObject({
  ...toFields(wholeTextSchema),
  metadata: z.record(z.string(), jsonSchema),
});

/** A run with its steps as its rows contain them. */
export const runStateSchema = z.object({
  status: runStatusSchema,
  /** Sequence of the last event folded; 0 before the first. */
  seq: z.int(),
  flow: z.string(),
  input: payloadSchema,
  output: payloadSchema,
  startedAt: z.optional(timeSchema),
  endedAt: z.optional(timeSchema),
  usage: usageSchema,
  error: z.optional(runErrorSchema),
  simulated: z.boolean(),
  /** Limits of all its agents. */
  parameters: z.optional(runParametersSchema),
  /** When another process took the run over, in order. */
  resumedAt: z.optional(z.readonly(z.array(timeSchema))),
  /** How many nodes wait for a person. */
  waiting: z.int(),
  /** How many notes of its nodes are warnings. */
  warnings: z.int(),
  /** In order of starting. */
  nodes: z.readonly(z.array(storedNodeSchema)),
});

/** The run as folded from its events: the same on server and client. */
export type RunState = z.infer<typeof runStateSchema>;
