import * as z from "zod/mini";
import { type Json, jsonSchema } from "../../flow/flow";
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
import { usageSchema } from "../../run/events/usage";
import type { RunNode, RunState } from "./run-state";

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
  firstTokenAt: z.optional(timeSchema),
  input: textSchema,
  output: textSchema,
  reasoning: z.string(),
  request: z.optional(
    z.strictObject({
      provider: z.string(),
      url: z.string(),
      body: textSchema,
      at: z.optional(timeSchema),
      dropped: z.optional(z.array(droppedParameterSchema)),
    }),
  ),
  response: z.optional(textSchema),
  attempts: z.array(
    z.strictObject({
      attempt: z.int().check(z.positive()),
      at: timeSchema,
      error: runErrorSchema,
      waitMs: z.optional(durationSchema),
    }),
  ),
  queuedMs: z.optional(durationSchema),
  notes: z.optional(
    z.array(z.strictObject({ at: timeSchema, code: z.string(), message: z.string(), by: z.optional(z.string()) })),
  ),
  question: z.optional(z.extend(humanInputRequestSchema, { at: timeSchema, number: idSchema })),
  answer: z.optional(z.extend(humanInputAnswerSchema, { at: timeSchema })),
  usage: usageSchema,
  error: z.optional(runErrorSchema),
  simulated: z.boolean(),
});

/** A RunNode of which every text is whole, checked field by field. */
export const runNodeSchema: z.ZodMiniType<RunNode> = z.strictObject({
  ...toFields(wholeTextSchema),
  metadata: z.record(z.string(), jsonSchema),
});

/** The facts of a stored step: JSON that was checked when its event was. */
export const storedMetadataSchema = z.record(z.string(), z.custom<Json>());

/** A RunNode as its row contains it: of a large text only the beginning. Fields of other versions are left out. */
export const storedNodeSchema: z.ZodMiniType<RunNode> = z.object({
  ...toFields(payloadSchema),
  reasoningLength: z.optional(z.number()),
  metadata: storedMetadataSchema,
});

/** A run with its steps as its rows contain them. */
export const runStateSchema: z.ZodMiniType<RunState> = z.object({
  status: runStatusSchema,
  seq: z.int(),
  flow: z.string(),
  input: payloadSchema,
  output: payloadSchema,
  startedAt: z.optional(timeSchema),
  endedAt: z.optional(timeSchema),
  usage: usageSchema,
  error: z.optional(runErrorSchema),
  simulated: z.boolean(),
  waiting: z.int(),
  warnings: z.int(),
  nodes: z.array(storedNodeSchema),
});

/** A step as it is shown: its large texts may be cut. `previousCall`: the model call before it of the same agent, by its id. */
export const stepDetailSchema = z.intersection(storedNodeSchema, z.object({ previousCall: z.optional(idSchema) }));
export type StepDetail = z.infer<typeof stepDetailSchema>;
