import type { RunStatus } from "../../run/events/events";
import type { TraceView } from "./trace-view";

/** The status of a span at a moment: null before it began, RUNNING until it ended, then its final status. */
export function statusAt(trace: TraceView, span: number, moment: number): RunStatus | null {
  const { start, end } = trace.columns;
  if ((start[span] ?? 0) > moment) return null;
  const ended = end[span] ?? Number.NaN;
  return ended <= moment ? trace.statusOf(span) : "RUNNING";
}
