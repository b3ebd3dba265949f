import * as z from "zod/mini";
import { findJsonAs } from "../../flow/parse-json";
import type { RunError, RunEvent } from "../../run/events/events";
import type { RunStatus } from "../../run/events/run-status";
import { isWarningCode, type StepWarning } from "../../run/events/warnings";
import type { SpanEnd, SpanStart, Trace } from "./trace";
import type { OpenQuestion, SpanAttempt } from "./trace-view";

/** Text or reasoning that a model call streamed. Without either only the time of its first token is known. */
interface AppendedText {
  id: number;
  /** When the first of it was received. */
  at: number;
  text?: string;
  reasoning?: string;
}

/** Changes of a trace. The lists are applied in the order of these fields, with the same result as event by event. */
export interface TraceChanges {
  begun?: { flow: string; at: number; simulated?: boolean | undefined };
  started?: SpanStart[];
  queued?: { id: number; ms: number }[] | undefined;
  failed?: ({ id: number } & SpanAttempt)[] | undefined;
  warned?: ({ id: number } & StepWarning)[] | undefined;
  texts?: AppendedText[] | undefined;
  questions?: { id: number; question: OpenQuestion | null }[] | undefined;
  ended?: ({ id: number } & SpanEnd)[] | undefined;
  /** Whether the run is paused at the end of them. Missing: neither a pause nor a resume is among them. */
  paused?: boolean;
  over?: { at: number; status: RunStatus; error?: RunError | undefined; simulated: boolean };
}

/** What consecutive events change, without the texts of steps: one frame of the page stream. */
export interface TraceBatch extends TraceChanges {
  /** Number of the last event in it. */
  seq: number;
}

const batchEnvelopeSchema = z.object({ seq: z.number() });
const batchSchema = z.custom<TraceBatch>((value) => batchEnvelopeSchema.safeParse(value).success);

/** A batch that the server sent; null for an incomplete text, or one of another version. */
export const readBatch = (text: string): TraceBatch | null => findJsonAs(text, batchSchema);

/** Consecutive events as one batch; null if there are none. */
export function toBatch(events: readonly RunEvent[]): TraceBatch | null {
  const last = events.at(-1);
  if (!last) return null;
  const batch: TraceBatch = { seq: last.seq };
  const texts = new Map<number, AppendedText>();
  for (const event of events) addEvent(batch, texts, event);
  if (texts.size > 0) batch.texts = [...texts.values()];
  return batch;
}

function addEvent(batch: TraceBatch, texts: Map<number, AppendedText>, event: RunEvent): void {
  switch (event.type) {
    case "run.started":
      batch.begun = { flow: event.flow, at: event.at, simulated: event.simulated };
      break;
    case "node.started": {
      const { id, parent, path, kind, name } = event;
      batch.started = appendTo(batch.started, { id, parent, path, kind, name, at: event.at });
      break;
    }
    case "attempt.queued": {
      const failedBefore = batch.failed?.findLast(({ id }) => id === event.id);
      if (failedBefore) failedBefore.queuedMs = (failedBefore.queuedMs ?? 0) + event.waitMs;
      else batch.queued = appendTo(batch.queued, { id: event.id, ms: event.waitMs });
      break;
    }
    case "attempt.failed": {
      const { id, error, waitMs } = event;
      batch.failed = appendTo(batch.failed, { id, at: event.at, code: error.code, waitMs });
      const text = texts.get(id);
      // The call has had its first token, though its text is dropped.
      if (waitMs !== undefined && text) texts.set(id, { id, at: text.at });
      break;
    }
    case "node.noted":
      if (isWarningCode(event.code))
        batch.warned = appendTo(batch.warned, { id: event.id, code: event.code, message: event.message });
      break;
    case "text.appended":
      textOfCall(texts, event).text = (texts.get(event.id)?.text ?? "") + event.text;
      break;
    case "reasoning.appended":
      textOfCall(texts, event).reasoning = (texts.get(event.id)?.reasoning ?? "") + event.text;
      break;
    case "answer.requested":
      batch.questions = appendTo(batch.questions, {
        id: event.id,
        question: { ...event.request, at: event.at, number: event.seq },
      });
      break;
    case "answer.given":
      batch.questions = appendTo(batch.questions, { id: event.id, question: null });
      break;
    case "node.finished": {
      const { id, status, usage, error, simulated, metadata } = event;
      const facts = { link: linkOf(metadata), reused: isReused(metadata), ran: timesOf(metadata) };
      const end = { id, at: event.at, status, usage, code: error?.code, simulated, ...facts };
      batch.ended = appendTo(batch.ended, end);
      break;
    }
    case "run.paused":
    case "run.resumed":
      batch.paused = event.type === "run.paused";
      break;
    case "run.finished":
      batch.over = { at: event.at, status: event.status, error: event.error, simulated: event.simulated ?? false };
      break;
  }
}

function appendTo<T>(list: T[] | undefined, item: T): T[] {
  if (!list) return [item];
  list.push(item);
  return list;
}

function textOfCall(texts: Map<number, AppendedText>, event: { id: number; at: number }): AppendedText {
  const text = texts.get(event.id);
  if (text) return text;
  const newText: AppendedText = { id: event.id, at: event.at };
  texts.set(event.id, newText);
  return newText;
}

/** The agents of a handoff, by its metadata: who handed over, and to which agent. */
export function linkOf(metadata: Readonly<Record<string, unknown>> | undefined): readonly [string, string] | undefined {
  const { from: source, to: target } = metadata ?? {};
  return typeof source === "string" && typeof target === "string" ? [source, target] : undefined;
}

/** True of a step that a fork took from its parent, by its metadata. */
export const isReused = (metadata: Readonly<Record<string, unknown>> | undefined): true | undefined =>
  metadata?.reused === true || undefined;

/** When a step that a fork took over ran, by its metadata. */
export function timesOf(
  metadata: Readonly<Record<string, unknown>> | undefined,
): readonly [number, number] | undefined {
  const [start, end]: unknown[] = Array.isArray(metadata?.ran) ? metadata.ran : [];
  return typeof start === "number" && typeof end === "number" ? [start, end] : undefined;
}

/** Applies a batch to a trace; one that was applied before changes nothing. Batches are applied in order. */
export function applyBatch(trace: Trace, batch: TraceBatch): void {
  if (batch.seq <= trace.seq) return;
  trace.seq = batch.seq;
  applyChanges(trace, batch);
}

/** The one function that fills a trace: with what events change, and with stored steps. */
export function applyChanges(trace: Trace, changes: TraceChanges): void {
  if (changes.begun) {
    const { flow, at: startedAt, simulated = false } = changes.begun;
    trace.setRun({ status: "RUNNING", flow, startedAt, simulated });
  }
  for (const start of changes.started ?? []) trace.start(start);
  for (const { id, ms } of changes.queued ?? []) trace.addQueueTime(id - 1, ms);
  for (const { id, ...attempt } of changes.failed ?? []) trace.addAttempt(id - 1, attempt);
  for (const { id, ...warning } of changes.warned ?? []) trace.addWarning(id - 1, warning);
  for (const { id, at: time, ...textDelta } of changes.texts ?? []) trace.appendText(id - 1, time, textDelta);
  for (const { id, question } of changes.questions ?? []) trace.setQuestion(id - 1, question);
  for (const { id, ...end } of changes.ended ?? []) trace.end(id - 1, end);
  if (changes.paused !== undefined) trace.setPaused(changes.paused);
  if (changes.over) {
    const { at: endedAt, simulated, ...outcome } = changes.over;
    trace.setRun({ ...outcome, endedAt, simulated: simulated || trace.run.simulated });
  }
}
