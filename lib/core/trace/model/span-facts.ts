import * as z from "zod/mini";
import { humanInputRequestSchema } from "../../run/events/events";
import { noUsage } from "../../run/events/usage";
import { usageSchema } from "../../run/events/usage-schema";
import { toStepWarnings, warningCodes } from "../../run/events/warnings";
import type { RunNode } from "./run-state";
import type { SpanStart } from "./trace";
import { isReused, linkOf, type TraceChanges, timesOf } from "./trace-batch";
import { sumQueuedLater } from "./trace-view";

/** What a trace contains of a RunNode besides its place, times and status. */
export const spanFactsSchema = z.strictObject({
  firstTokenAt: z.optional(z.number()),
  queuedMs: z.optional(z.number()),
  /** Of model calls. */
  usage: z.optional(usageSchema),
  simulated: z.optional(z.boolean()),
  code: z.optional(z.string()),
  attempts: z.optional(
    z.array(
      z.strictObject({
        at: z.number(),
        code: z.string(),
        waitMs: z.optional(z.number()),
        queuedMs: z.optional(z.number()),
      }),
    ),
  ),
  link: z.optional(z.tuple([z.string(), z.string()])),
  reused: z.optional(z.boolean()),
  ran: z.optional(z.tuple([z.number(), z.number()])),
  warnings: z.optional(z.array(z.strictObject({ code: z.enum(warningCodes), message: z.string() }))),
  question: z.optional(z.extend(humanInputRequestSchema, { at: z.number(), number: z.number() })),
});
export type SpanFacts = z.infer<typeof spanFactsSchema>;

export function toSpanFacts(node: RunNode): SpanFacts {
  const { kind, firstTokenAt, queuedMs, usage, simulated, error, attempts, metadata, question, answer } = node;
  const warnings = toStepWarnings(node.notes);
  const isCall = kind === "llm_call";
  const [link, ran] = [linkOf(metadata), timesOf(metadata)];
  const failed = attempts.map(({ at: time, error, waitMs, queuedMs: queued }) => ({
    ...{ at: time, code: error.code, waitMs },
    ...(queued !== undefined && { queuedMs: queued }),
  }));
  return {
    firstTokenAt,
    queuedMs,
    usage: isCall ? usage : undefined,
    simulated: isCall ? simulated : undefined,
    code: error?.code,
    attempts: failed.length > 0 ? failed : undefined,
    link: link && [...link],
    reused: isReused(metadata),
    ran: ran && [...ran],
    warnings: warnings.length > 0 ? warnings : undefined,
    question: answer ? undefined : question,
  };
}

/** A step of which only what a trace contains is known. Times in milliseconds since the epoch. */
export interface SpanRow extends SpanStart {
  status: RunNode["status"];
  endedAt: number | undefined;
  facts: SpanFacts;
}

/** A step as the changes that bring it into a trace. */
export function toSpanChanges({ facts, status, endedAt, ...start }: SpanRow): TraceChanges {
  const { id, kind } = start;
  const {
    firstTokenAt,
    queuedMs,
    attempts,
    warnings,
    question,
    usage = noUsage,
    simulated,
    code,
    link,
    reused,
    ran,
  } = facts;
  return {
    started: [start],
    queued: queuedMs === undefined ? undefined : [{ id, ms: queuedMs - sumQueuedLater(attempts) }],
    failed: attempts?.map((attempt) => ({ id, ...attempt })),
    warned: warnings?.map((warning) => ({ id, ...warning })),
    texts: firstTokenAt === undefined || kind !== "llm_call" ? undefined : [{ id, at: firstTokenAt }],
    questions: status === "WAITING" && question ? [{ id, question }] : undefined,
    ended: endedAt === undefined ? undefined : [{ id, at: endedAt, status, usage, simulated, code, link, reused, ran }],
  };
}

/** What a trace contains of a RunNode. */
export const toSpanRow = (node: RunNode): SpanRow => {
  const { id, parent, path, kind, name, status, startedAt, endedAt } = node;
  return { id, parent, path, kind, name, at: startedAt, status, endedAt, facts: toSpanFacts(node) };
};
