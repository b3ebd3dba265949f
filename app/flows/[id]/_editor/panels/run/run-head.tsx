import { ChartNoAxesGantt, ChevronDown, History, Maximize2, Minimize2 } from "lucide-react";
import Link from "next/link";
import { PauseButton } from "@/app/_run/pause-button";
import { SimulatedBadge } from "@/app/_ui/badges/simulated-badge";
import { StatusBadge } from "@/app/_ui/badges/status-badge";
import { WarningBadge } from "@/app/_ui/badges/warning-badge";
import { buttonClass } from "@/app/_ui/controls/button";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { formatDuration, formatUsageCost, formatUsageTokens } from "@/app/_ui/format/format";
import { formatCount } from "@/lib/core/flow/format-count";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import { useSession, useView } from "../../state/session-context";
import { isActive, type RunFigures } from "../../state/shown-run";
import { RecentRuns } from "./recent-runs";
import { useRecentRuns } from "./use-recent-runs";

interface RunHeadProps {
  figures: RunFigures;
  warnings: number;
  isRetrying: boolean;
  /** The chosen step's id, at which the timeline opens. */
  node: number | null;
}

export function RunHead({ figures, warnings, isRetrying, node }: RunHeadProps) {
  const { view, seed, access } = useSession();
  const isFull = useView((state) => state.runPanel === "full");
  const { id, status, durationMs, usage, simulated, simulatedShare, errorCode } = figures;
  const recent = useRecentRuns(seed.id, `${id} ${status}`);
  const number = recent?.numberOf(id) ?? null;
  return (
    <header className="@container flex min-h-9 shrink-0 flex-wrap items-center gap-x-2.5 gap-y-1 border-line border-b px-3 py-1 text-xs">
      <h2 id="run-heading" tabIndex={-1} className="sr-only">
        Run
      </h2>
      <StatusBadge status={toShownStatus(status, errorCode)} />
      {number !== null && (
        <span className="text-text-muted @max-3xl:hidden">run {formatCount(number)} of this flow</span>
      )}
      <WarningBadge count={warnings} />
      {simulated && <SimulatedBadge share={simulatedShare} />}
      {isRetrying && <span className="text-warning">Connection lost, retrying…</span>}
      <dl className="ml-auto flex items-center gap-3 tabular-nums @max-3xl:hidden">
        <Figure label="Time" value={formatDuration(durationMs)} />
        <Figure label="Tokens" value={formatUsageTokens(usage)} />
        <Figure label="Cost" value={formatUsageCost(usage)} />
      </dl>
      <span aria-hidden className="h-4 w-px bg-line @max-3xl:hidden" />
      <div className="flex items-center gap-1 @max-3xl:ml-auto">
        {isActive(status) && access.mayRun && <PauseButton runId={id} status={status} />}
        <RecentRuns recent={recent} shown={id} icon={<History size={14} aria-hidden />} />
        <Link
          href={`/runs/${id}${node === null ? "" : `?node=${node}`}`}
          aria-label="Show in timeline"
          className={buttonClass("ghost", "small")}
        >
          <ChartNoAxesGantt size={14} aria-hidden /> <span className="@max-2xl:hidden">Show in timeline</span>
        </Link>
        <IconButton
          label={isFull ? "Shrink the run panel" : "Expand the run panel"}
          onClick={() => view.setState({ runPanel: isFull ? "open" : "full" })}
        >
          {isFull ? <Minimize2 size={14} aria-hidden /> : <Maximize2 size={14} aria-hidden />}
        </IconButton>
        <IconButton label="Close the run panel" onClick={() => view.setState({ runPanel: "closed" })}>
          <ChevronDown size={16} aria-hidden />
        </IconButton>
      </div>
    </header>
  );
}

const Figure = ({ label, value }: { label: string; value: string }) => (
  <div className="flex items-baseline gap-1.5">
    <dt className="text-text-muted">{label}</dt>
    <dd className="font-semibold">{value}</dd>
  </div>
);
