import { useEffect, useRef, useState } from "react";
import { countNouns } from "@/lib/core/flow/format-count";
import { isTerminal, type ShownStatus } from "@/lib/core/run/events/run-status";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { statusStyles } from "../_ui/badges/status-badge";

const intervalMs = 1000;

export function RunAnnouncer({ newest }: { newest: string }) {
  const [announced, setAnnounced] = useState("");
  const announcedAt = useRef(0);
  useEffect(() => {
    const announce = (): void => {
      announcedAt.current = Date.now();
      setAnnounced(newest);
    };
    const timer = setTimeout(announce, Math.max(0, announcedAt.current + intervalMs - Date.now()));
    return () => clearTimeout(timer);
  }, [newest]);
  return (
    <p role="status" aria-label="Run progress" className="sr-only">
      {announced}
    </p>
  );
}

/** `planner succeeded in 2 s`, of the agent that ended last; of the run itself once it has ended, or is paused. */
export function describeNewestEnd(trace: TraceView): string {
  const { run, newestAgent: span, columns, warningCount } = trace;
  if (isTerminal(run.status)) {
    const warned = warningCount > 0 ? `, with ${countNouns(warningCount, "warning")}` : "";
    return `Run ${describeOutcome(toShownStatus(run.status, run.error?.code), run.startedAt, run.endedAt)}${warned}`;
  }
  if (run.status === "PAUSED") return "Run paused";
  if (span < 0) return "";
  const status = toShownStatus(trace.statusOf(span), trace.errors.get(span));
  return `${trace.nameOf(span)} ${describeOutcome(status, columns.start[span], columns.end[span])}`;
}

/** Times in milliseconds since the epoch. */
function describeOutcome(status: ShownStatus, startedAt: number | undefined, endedAt: number | undefined): string {
  const word = statusStyles[status].word.toLowerCase();
  if (startedAt === undefined || endedAt === undefined) return word;
  return `${word} in ${Math.max(0, Math.round((endedAt - startedAt) / 1000))} s`;
}
