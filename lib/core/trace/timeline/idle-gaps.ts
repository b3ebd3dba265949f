import { kindNumber, type TraceView } from "../model/trace-view";
import type { TimeRange } from "./time-scale";

/** A gap is worth squeezing from this part of the whole run on, and from this many milliseconds. */
const [leastShare, leastMs] = [0.04, 1000];

const [call, tool] = [kindNumber("llm_call"), kindNumber("tool_call")];

/** Whether a model or a tool works in this step itself. */
export const isWork = (trace: TraceView, span: number): boolean =>
  trace.columns.kind[span] === call || trace.columns.kind[span] === tool;

/** The longer stretches of the run in which no model and no tool was at work, in order. What still runs works until `now`. */
export function toIdleGaps(trace: TraceView, runRange: TimeRange, now: number): TimeRange[] {
  const { start } = trace.columns;
  const least = Math.max(leastMs, (runRange.end - runRange.start) * leastShare);
  const gaps: TimeRange[] = [];
  let busyUntil = runRange.start;
  const addGapUntil = (time: number): void => {
    if (time - busyUntil >= least) gaps.push({ start: busyUntil, end: time });
  };
  for (let span = 0; span < trace.length; span++) {
    if (!isWork(trace, span)) continue;
    addGapUntil(start[span] ?? 0);
    busyUntil = Math.max(busyUntil, trace.endOf(span, now));
  }
  addGapUntil(runRange.end);
  return gaps;
}

/** Which part of the run is in its gaps, 0 to 1. */
export const idleShare = (gaps: readonly TimeRange[], { start, end }: TimeRange): number =>
  end > start ? gaps.reduce((sum, gap) => sum + gap.end - gap.start, 0) / (end - start) : 0;

/** From the first start to the last end; what still runs ends `now`. Never empty. */
export function runRangeOf(trace: TraceView, now: number): TimeRange {
  const starts = trace.columns.start;
  const { startedAt, endedAt } = trace.run;
  // Everything in a running run is between its start and now, or the newest step where the clocks of two machines differ.
  const newest = starts[trace.length - 1] ?? Number.NEGATIVE_INFINITY;
  if (startedAt !== undefined && endedAt === undefined && now > startedAt)
    return { start: startedAt, end: Math.max(now, newest) };
  let start = startedAt ?? Number.POSITIVE_INFINITY;
  let end = endedAt ?? Number.NEGATIVE_INFINITY;
  for (let span = 0; span < trace.length; span++) {
    start = Math.min(start, starts[span] ?? 0);
    end = Math.max(end, trace.endOf(span, now));
  }
  if (!Number.isFinite(start)) start = now;
  if (!Number.isFinite(end) || (endedAt === undefined && end < now)) end = now;
  return { start, end: Math.max(end, start + 1) };
}
