import * as z from "zod/mini";
import { humanInputRequestSchema } from "../../run/events/events";
import { noUsage, usageSchema } from "../../run/events/usage";
import { toStepWarnings, warningCodes } from "../../run/events/warnings";
import type { RunNode } from "./run-state";
import type { SpanStart, Trace } from "./trace";
import { linkOf } from "./trace-batch";

/** What a trace needs of a RunNode besides when it ran and how it ended. */
export const spanFactsSchema = z.strictObject({
  firstTokenAt: z.optional(z.number()),
  queuedMs: z.optional(z.number()),
  /** Of model calls. */
  usage: z.optional(usageSchema),
  simulated: z.optional(z.boolean()),
  code: z.optional(z.string()),
  attempts: z.optional(z.array(z.strictObject({ at: z.number(), code: z.string(), waitMs: z.optional(z.number()) }))),
  link: z.optional(z.tuple([z.string(), z.string()])),
  warnings: z.optional(z.array(z.strictObject({ code: z.enum(warningCodes), message: z.string() }))),
  question: z.optional(z.extend(humanInputRequestSchema, { at: z.number(), number: z.number() })),
});
export type SpanFacts = z.infer<typeof spanFactsSchema>;

export function toSpanFacts(node: RunNode): SpanFacts {
  const { kind, firstTokenAt, queuedMs, usage, simulated, error, attempts, metadata, question, answer } = node;
  const link = linkOf(metadata);
  const warnings = toStepWarnings(node.notes);
  const isCall = kind === "llm_call";
  return {
    ...(firstTokenAt === undefined ? {} : { firstTokenAt }),
    ...(queuedMs === undefined ? {} : { queuedMs }),
    ...(isCall ? { usage, simulated } : {}),
    ...(error ? { code: error.code } : {}),
    ...(attempts.length > 0
      ? {
          attempts: attempts.map(({ at, error: { code }, waitMs }) => ({
            at,
            code,
            ...(waitMs === undefined ? {} : { waitMs }),
          })),
        }
      : {}),
    ...(link ? { link: [...link] } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(question && !answer ? { question } : {}),
  };
}

/** A step as its row has it. Times in milliseconds since the epoch. */
export interface SpanRow extends SpanStart {
  status: RunNode["status"];
  endedAt: number | undefined;
  facts: SpanFacts;
}

/** Adds the next step of a run as far as it has come. Steps come in order of their ids. */
export function addSpan(trace: Trace, { facts, status, endedAt, ...start }: SpanRow): void {
  const span = start.id - 1;
  trace.start(start);
  if (facts.firstTokenAt !== undefined && start.kind === "llm_call") trace.markFirstToken(span, facts.firstTokenAt);
  if (facts.queuedMs !== undefined) trace.addQueueTime(span, facts.queuedMs);
  for (const attempt of facts.attempts ?? []) trace.addAttempt(span, attempt);
  for (const warning of facts.warnings ?? []) trace.addWarning(span, warning);
  if (endedAt !== undefined) {
    const { usage = noUsage, simulated, code, link } = facts;
    trace.end(span, { at: endedAt, status, usage, simulated, code, link });
  } else if (status === "WAITING" && facts.question) trace.setQuestion(span, facts.question);
}

/** The trace of RunNodes, in order of their ids. */
export const addNode = (trace: Trace, node: RunNode): void =>
  addSpan(trace, { ...node, at: node.startedAt, endedAt: node.endedAt, facts: toSpanFacts(node) });
