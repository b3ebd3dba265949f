import { isAgentKind } from "../../run/events/run-node-traits";
import type { TraceView } from "../model/trace-view";

/** Milliseconds from a span's start to its end; what still runs ends `now`. */
export function wallTime(trace: TraceView, span: number, now: number): number {
  return trace.endOf(span, now) - (trace.columns.start[span] ?? 0);
}

/** Milliseconds of the whole run: those of its first step, so that all sums agree; before that, since `createdAt`. */
export const runTime = (trace: TraceView, now: number, createdAt: number): number =>
  trace.length > 0 ? wallTime(trace, 0, now) : (trace.run.endedAt ?? Math.max(now, createdAt)) - createdAt;

/**
 * Milliseconds of every span without those in which an agent, or a call that it made, only waited for other agents. What still runs
 * ends `now`.
 */
export function toOwnWallTimes(trace: TraceView, now: number): Float64Array {
  const { start, parent } = trace.columns;
  const times = Float64Array.from({ length: trace.length }, (_, span) => wallTime(trace, span, now));
  /** By span: until when the time that others took is counted. Agents are in the order of their starts. */
  const countedUntil = new Map<number, number>();
  for (let span = 0; span < trace.length; span++) {
    if (!isAgentKind(trace.kindOf(span))) continue;
    let end = trace.endOf(span, now);
    for (let above = parent[span] ?? -1; above >= 0; above = parent[above] ?? -1) {
      // What goes on after its call has ended, in the background, is not waited for.
      end = Math.min(end, trace.endOf(above, now));
      const begin = Math.max(start[span] ?? 0, countedUntil.get(above) ?? 0);
      if (end > begin) {
        times[above] = Math.max(0, (times[above] ?? 0) - (end - begin));
        countedUntil.set(above, end);
      }
      if (isAgentKind(trace.kindOf(above))) break;
    }
  }
  return times;
}
