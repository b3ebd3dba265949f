import type { TraceView } from "../model/trace-view";

/** Milliseconds from a span's start to its end; what still runs ends `now`. */
export function wallTime(trace: TraceView, span: number, now: number): number {
  return trace.endOf(span, now) - (trace.columns.start[span] ?? 0);
}

/** Milliseconds of the whole run: those of its first step, so that all sums agree; before that, since `createdAt`. */
export const runTime = (trace: TraceView, now: number, createdAt: number): number =>
  trace.length > 0 ? wallTime(trace, 0, now) : (trace.run.endedAt ?? Math.max(now, createdAt)) - createdAt;
