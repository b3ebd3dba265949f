import type { RunStatus } from "../../run/events/events";
import type { TraceView } from "./trace-view";

/** How a span stood at a moment: null before it began, RUNNING until it ended, then as it ended. */
export function statusAt(trace: TraceView, span: number, moment: number): RunStatus | null {
  const { start, end } = trace.columns;
  if ((start[span] ?? 0) > moment) return null;
  const ended = end[span] ?? Number.NaN;
  return ended <= moment ? trace.statusOf(span) : "RUNNING";
}
