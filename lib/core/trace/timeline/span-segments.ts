import type { TraceView } from "../model/trace-view";
import { type Bar, type TimeScale, toBar } from "./time-scale";

/** What time goes into: waiting for a turn, attempts that failed, waiting for the first token, generating, a tool, anything else. */
export const segmentTypes = ["queue", "retry", "first-token", "generate", "tool", "work"] as const;
export type SegmentType = (typeof segmentTypes)[number];

export interface Segment {
  type: SegmentType;
  /** Milliseconds since the epoch. */
  from: number;
  to: number;
}

/** What a step's time went into, in order and without gaps, at least one. What still runs ends `now`. */
export function toSegments(trace: TraceView, span: number, now: number): Segment[] {
  const { columns } = trace;
  const start = columns.start[span] ?? 0;
  const end = trace.endOf(span, now);
  const kind = trace.kindOf(span);
  if (kind !== "llm_call") return [{ type: kind === "tool_call" ? "tool" : "work", from: start, to: end }];
  const segments: Segment[] = [];
  let at = start;
  const add = (type: SegmentType, until: number): void => {
    const to = Math.min(Math.max(until, at), end);
    if (to > at) segments.push({ type, from: at, to });
    at = to;
  };
  add("queue", start + (trace.queued.get(span) ?? 0));
  for (const { at: failedAt, waitMs } of trace.attempts.get(span) ?? [])
    if (waitMs !== undefined) add("retry", failedAt + waitMs);
  const first = columns.firstToken[span] ?? Number.NaN;
  add("first-token", Number.isNaN(first) ? end : first);
  add("generate", end);
  return segments.length > 0 ? segments : [{ type: "generate", from: start, to: end }];
}

/** A part of a bar, in the unit of its box. */
export interface BarPart extends Bar {
  type: SegmentType;
}

/**
 * A step's bar in a box `box` wide, as parts from left to right without gaps: always inside the box, never NaN. Null: nothing of the step
 * lies in the range of the scale. What still runs ends `now`.
 */
export function toBarParts(
  trace: TraceView,
  span: number,
  scale: TimeScale,
  now: number,
  box: number,
): BarPart[] | null {
  const segments = toSegments(trace, span, now);
  const from = segments[0]?.from ?? 0;
  const to = segments.at(-1)?.to ?? 0;
  if (to < scale.range.from || from > scale.range.to) return null;
  const bar = toBar(from, to, scale, box);
  const end = bar.x + bar.width;
  let x = bar.x;
  return segments.map(({ type, to: until }, at) => {
    const next = at === segments.length - 1 ? end : Math.max(x, Math.min(scale.place(until) * box, end));
    const part = { type, x, width: next - x };
    x = next;
    return part;
  });
}
