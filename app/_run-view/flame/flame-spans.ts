import { labelOfStep } from "@/app/_kinds/step-icon";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { statusStyles } from "../../_ui/badges/status-badge";
import { formatDuration } from "../../_ui/format/format";

export function describeSpan(trace: TraceView, span: number): string {
  if (span < 0 || span >= trace.length) return "";
  const { start, end } = trace.columns;
  const durationMs = (end[span] ?? Number.NaN) - (start[span] ?? 0);
  const duration = Number.isNaN(durationMs) ? "" : `, ${formatDuration(durationMs)}`;
  const time = trace.reused.has(span) ? ", reused" : duration;
  return `${labelOfStep(trace.kindOf(span))} ${trace.nameOf(span)}, ${statusStyles[trace.shownStatusOf(span)].word}${time}`;
}

/** Down to the first child, up to the parent, left and right to siblings. Null: not a key of the graph. */
export function toNeighbour(trace: TraceView, span: number, key: string): number | null {
  const { parent, firstChild, nextSibling } = trace.columns;
  const parentSpan = parent[span] ?? -1;
  const firstSibling = parentSpan < 0 ? 0 : (firstChild[parentSpan] ?? span);
  const orCurrent = (neighbour: number): number => (neighbour >= 0 ? neighbour : Math.max(span, 0));
  if (span < 0) return trace.length > 0 && key.startsWith("Arrow") ? 0 : null;
  if (key === "ArrowDown") return orCurrent(firstChild[span] ?? -1);
  if (key === "ArrowUp") return orCurrent(parentSpan);
  if (key === "ArrowRight") return orCurrent(nextSibling[span] ?? -1);
  if (key !== "ArrowLeft") return null;
  let previous = firstSibling;
  while (previous !== span && (nextSibling[previous] ?? -1) !== span) previous = nextSibling[previous] ?? span;
  return previous;
}
