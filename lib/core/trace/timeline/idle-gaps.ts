import type { TraceView } from "../model/trace-view";
import { kindNumber } from "../model/trace-view";
import type { TimeRange } from "./time-scale";

/** A gap is worth squeezing from this part of the whole run on, and from this many milliseconds. */
const [leastShare, leastMs] = [0.04, 1000];

const [call, tool] = [kindNumber("llm_call"), kindNumber("tool_call")];

/** Whether a model or a tool works in this step itself. */
export const isWork = (trace: TraceView, span: number): boolean =>
  trace.columns.kind[span] === call || trace.columns.kind[span] === tool;

/** The longer stretches of the run in which no model and no tool was at work, in order. What still runs works until `now`. */
export function toIdleGaps(trace: TraceView, whole: TimeRange, now: number): TimeRange[] {
  const { start } = trace.columns;
  const least = Math.max(leastMs, (whole.to - whole.from) * leastShare);
  const gaps: TimeRange[] = [];
  let busyUntil = whole.from;
  const look = (at: number): void => {
    if (at - busyUntil >= least) gaps.push({ from: busyUntil, to: at });
  };
  for (let span = 0; span < trace.length; span++) {
    if (!isWork(trace, span)) continue;
    look(start[span] ?? 0);
    busyUntil = Math.max(busyUntil, trace.endOf(span, now));
  }
  look(whole.to);
  return gaps;
}

/** Which part of the run is in its gaps, 0 to 1. */
export const idleShare = (gaps: readonly TimeRange[], { from, to }: TimeRange): number =>
  to > from ? gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0) / (to - from) : 0;

/** From the first start to the last end; what still runs ends `now`. Never empty. */
export function wholeOf(trace: TraceView, now: number): TimeRange {
  const { start } = trace.columns;
  const { startedAt, endedAt } = trace.run;
  // While it goes on, everything lies between its start and now, or the newest step where the clocks of the two machines differ.
  const newest = start[trace.length - 1] ?? Number.NEGATIVE_INFINITY;
  if (startedAt !== undefined && endedAt === undefined && now > startedAt)
    return { from: startedAt, to: Math.max(now, newest) };
  let from = startedAt ?? Number.POSITIVE_INFINITY;
  let to = endedAt ?? Number.NEGATIVE_INFINITY;
  for (let span = 0; span < trace.length; span++) {
    from = Math.min(from, start[span] ?? 0);
    to = Math.max(to, trace.endOf(span, now));
  }
  if (!Number.isFinite(from)) from = now;
  if (!Number.isFinite(to) || (endedAt === undefined && to < now)) to = now;
  return { from, to: Math.max(to, from + 1) };
}
