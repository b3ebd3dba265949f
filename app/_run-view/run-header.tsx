import { WifiOff } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { isTerminal } from "@/lib/core/run/events/events";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { CancelButton } from "../_run/cancel-button";
import type { ConnectionStatus } from "../_run/follow/follow-line";
import { RunAgainButton } from "../_run/run-again-button";
import { SimulatedBadge } from "../_ui/badges/simulated-badge";
import { StatusBadge } from "../_ui/badges/status-badge";
import { WarningBadge } from "../_ui/badges/warning-badge";
import { Menu } from "../_ui/controls/menu";
import { formatDuration, formatUsageCost, formatUsageTokens } from "../_ui/format/format";

export interface RunInfo {
  id: string;
  flowName: string;
  createdAt: number;
  /** Null: the run comes from a file. */
  flowId: string | null;
}

interface RunHeaderProps {
  run: RunInfo;
  trace: TraceView;
  connection: ConnectionStatus;
  now: number;
  /** Id of the previous run of the flow. */
  previous: string | null;
}

export function RunHeader({ run, trace, connection, now, previous }: RunHeaderProps) {
  const { status, startedAt, endedAt, simulated } = trace.run;
  const startMs = startedAt ?? run.createdAt;
  const elapsed = (endedAt ?? Math.max(now, startMs)) - startMs;
  const usage = trace.usageOf(0);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-4 py-2">
      <h1 id="run-heading" tabIndex={-1} className="min-w-0 truncate font-semibold text-sm">
        {run.flowId === null ? (
          run.flowName
        ) : (
          <Link href={`/flows/${run.flowId}`} className="rounded hover:underline">
            {run.flowName}
          </Link>
        )}
      </h1>
      <StatusBadge status={status} />
      <WarningBadge count={trace.warningCount} />
      {simulated && <SimulatedBadge />}
      {connection === "retrying" && (
        <span className="flex items-center gap-1 text-warning">
          <WifiOff size={14} aria-hidden /> Connection lost, reconnecting
        </span>
      )}
      <div className="ml-auto flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
        <dl className="flex gap-x-4 text-text-muted tabular-nums max-sm:gap-x-3">
          <Figure name="Time" value={formatDuration(elapsed)} />
          <Figure name="Tokens" value={formatUsageTokens(usage)} />
          <Figure name="Cost" value={formatUsageCost(usage)} />
        </dl>
        {run.flowId !== null && (
          <div className="flex items-center gap-1">
            {isTerminal(status) ? <RunAgainButton runId={run.id} label="Run again" /> : <CancelButton runId={run.id} />}
            <RunMenu runId={run.id} previous={previous} />
          </div>
        )}
      </div>
    </div>
  );
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div className="flex gap-1.5">
    <dt>{name}</dt>
    <dd className="font-medium text-text">{value}</dd>
  </div>
);

function RunMenu({ runId, previous }: Pick<RunHeaderProps, "previous"> & { runId: string }) {
  const router = useRouter();
  const download = (resource: string) => () => window.location.assign(`/api/v1/runs/${runId}/${resource}`);
  const compare = (): void => router.push(`/runs/compare?runs=${previous},${runId}`);
  return (
    <Menu
      label="Run actions"
      items={[
        ...(previous === null ? [] : [{ label: "Compare with the previous run", onSelect: compare }]),
        { label: "Download as a run file", onSelect: download("file") },
        { label: "Download the trace (OTLP)", onSelect: download("otlp") },
        { label: "Download the trace with texts (OTLP)", onSelect: download("otlp?content=1") },
      ]}
    />
  );
}
