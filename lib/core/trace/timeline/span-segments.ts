import { sumQueuedLater, type TraceView } from "../model/trace-view";
import { type TimeBar, type TimeScale, toBar } from "./time-scale";

/** What time goes into: waiting for a turn, an attempt that failed, waiting for the next, waiting for the first token, generating, a tool, anything else. */
export type SpanSegmentType = "queue" | "attempt" | "wait" | "first-token" | "generate" | "tool" | "work";

export interface SpanSegment {
  type: SpanSegmentType;
  /** Milliseconds since the epoch. */
  from: number;
  to: number;
}

/** What a step's time went into, in order and without gaps, at least one. What still runs ends `now`. */
export function toSegments(trace: TraceView, span: number, now: number): SpanSegment[] {
  const { columns } = trace;
  const start = columns.start[span] ?? 0;
  const end = trace.endOf(span, now);
  const kind = trace.kindOf(span);
  if (kind !== "llm_call") return [{ type: kind === "tool_call" ? "tool" : "work", from: start, to: end }];
  const segments: SpanSegment[] = [];
  let time = start;
  const add = (type: SpanSegmentType, until: number): void => {
    const to = Math.min(Math.max(until, time), end);
    if (to > time) segments.push({ type, from: time, to });
    time = to;
  };
  const attempts = trace.attempts.get(span) ?? [];
  add("queue", start + (trace.queued.get(span) ?? 0) - sumQueuedLater(attempts));
  for (const { at: failedAt, waitMs, queuedMs } of attempts) {
    add("attempt", failedAt);
    if (waitMs !== undefined) add("wait", failedAt + waitMs);
    if (queuedMs !== undefined) add("queue", time + queuedMs);
  }
  const firstToken = columns.firstToken[span] ?? Number.NaN;
  add("first-token", Number.isNaN(firstToken) ? end : firstToken);
  add("generate", end);
  return segments.length > 0 ? segments : [{ type: "generate", from: start, to: end }];
}

/**
 * A step's bar in a box `box` wide, as parts from left to right without gaps: always inside the box, never NaN. Null: nothing of the step
 * lies in the range of the scale. What still runs ends `now`.
 */
export function toBarSegments(
  trace: TraceView,
  span: number,
  scale: TimeScale,
  now: number,
  box: number,
): (TimeBar & { type: SpanSegmentType })[] | null {
  const segments = toSegments(trace, span, now);
  const start = segments[0]?.from ?? 0;
  const end = segments.at(-1)?.to ?? 0;
  if (end < scale.range.start || start > scale.range.end) return null;
  const bar = toBar(start, end, scale, box);
  const rightEdge = bar.x + bar.width;
  let x = bar.x;
  return segments.map(({ type, to: until }, index) => {
    const next = index === segments.length - 1 ? rightEdge : Math.max(x, Math.min(scale.place(until) * box, rightEdge));
    const barSegment = { type, x, width: next - x };
    x = next;
    return barSegment;
  });
}
