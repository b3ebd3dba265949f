import { ChevronDown, ChevronUp } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { describeSimulated } from "@/app/_ui/badges/simulated-badge";
import { statusStyles } from "@/app/_ui/badges/status-badge";
import { formatDuration, formatUsageCost, formatUsageTokens } from "@/app/_ui/format/format";
import { loadPart } from "@/app/_ui/loading/load-part";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { countSimulatedAgents } from "@/lib/core/trace/timeline/simulated-share";
import { runTime } from "@/lib/core/trace/timeline/wall-time";
import { toggleRunPanel } from "../../commands/run-commands";
import { useSession, useShownRun, useView } from "../../state/session-context";
import { isActive, type RunFigures } from "../../state/shown-run";

const MiniWaterfall = lazy(() => loadPart(() => import("./mini-waterfall")));

export const runPanelId = "run-panel";

/** The figures of the shown run, else of the last one; opens and closes the run panel. */
export function RunSummary() {
  const session = useSession();
  const stored = useView((view) => view.figures);
  const isOpen = useView((view) => view.runPanel !== "closed");
  const hasPanel = useView((view) => view.run !== null);
  const trace = useShownRun((shown) => (shown && shown.id === stored?.id ? shown.trace : null));
  const active = isActive(stored?.status);
  const now = useNow(active);
  if (!stored) return null;
  const figures = trace ? figuresOf(stored.id, trace, now) : stored;
  const { status, durationMs, usage, simulated, simulatedShare, errorCode } = figures;
  const { icon: Icon, word, tint, spins } = statusStyles[toShownStatus(status, errorCode)];
  const time = durationMs === null ? "" : formatDuration(durationMs);
  const Chevron = isOpen ? ChevronDown : ChevronUp;
  return (
    <button
      type="button"
      data-hint={isOpen ? "Hide the run panel" : "Show the run panel"}
      aria-expanded={isOpen}
      aria-controls={isOpen && hasPanel ? runPanelId : undefined}
      onClick={() => toggleRunPanel(session)}
      className={`flex h-8 shrink-0 items-center gap-2.5 rounded-md px-2 text-xs tabular-nums transition-colors duration-150 hover:bg-surface-hover ${isOpen ? "bg-surface-selected" : "bg-surface-sunken"}`}
    >
      <span className={`flex items-center gap-1.5 font-medium ${tint}`}>
        <Icon size={14} aria-hidden className={spins ? "animate-spin motion-reduce:animate-none" : ""} />
        <span className={time === "" ? "" : "sr-only"}>{word}</span>
        {time !== "" && <span> {time}</span>}
      </span>
      {trace && (
        <span className="@max-2xl:hidden">
          <Suspense>
            <MiniWaterfall trace={trace} now={now} />
          </Suspense>
        </span>
      )}
      {simulated && (
        <span className="text-text-muted @max-4xl:hidden">{describeSimulated(simulatedShare).label.toLowerCase()}</span>
      )}
      {usage.calls > 0 && (
        <>
          <span className="text-text-muted @max-xl:hidden">{formatUsageTokens(usage)} tok</span>
          <span className="text-text-muted @max-xl:hidden">{formatUsageCost(usage)}</span>
        </>
      )}
      <Chevron size={14} aria-hidden className="text-text-muted" />
    </button>
  );
}

/** The figures of a run whose steps are loaded. `now`: milliseconds since the epoch. */
export function figuresOf(id: string, trace: TraceView, now: number): RunFigures {
  const { status, startedAt, simulated, error } = trace.run;
  const hasStarted = trace.length > 0 || startedAt !== undefined;
  const durationMs = hasStarted ? runTime(trace, now, startedAt ?? now) : null;
  const simulatedShare = simulated && trace.length > 0 ? countSimulatedAgents(trace) : undefined;
  return { id, status, durationMs, usage: trace.usageOf(0), simulated, simulatedShare, errorCode: error?.code };
}

const tickMs = 200;

/** The time of day in milliseconds, kept current while `ticks`. */
export function useNow(ticks: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticks) return;
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [ticks]);
  return now;
}
