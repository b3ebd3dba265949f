import { Pencil, Share2, WifiOff } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/run-status";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { countSimulatedAgents } from "@/lib/core/trace/timeline/simulated-share";
import { runTime } from "@/lib/core/trace/timeline/wall-time";
import type { RunVersion } from "@/lib/server/runs/read/run-versions";
import { CancelButton } from "../_run/cancel-button";
import type { ConnectionStatus } from "../_run/follow/follow-line";
import { PauseButton } from "../_run/pause-button";
import { RunAgainButton } from "../_run/run-again-button";
import { useAccess } from "../_ui/access/access";
import { SimulatedBadge } from "../_ui/badges/simulated-badge";
import { StatusBadge } from "../_ui/badges/status-badge";
import { WarningBadge } from "../_ui/badges/warning-badge";
import { Button, buttonClass } from "../_ui/controls/button";
import { Menu } from "../_ui/controls/menu";
import { formatDuration, formatUsageCost, formatUsageTokens } from "../_ui/format/format";
import { Moment } from "../_ui/format/moment";
import { loadPart } from "../_ui/loading/load-part";
import { Logo } from "../_ui/shell/logo";
import { ThemeToggle } from "../_ui/theme/theme-toggle";
import { ForksButton } from "./forks/forks-button";

const ShareDialog = dynamic(() => loadPart(() => import("../_share/share-dialog")), { ssr: false });

export interface RunInfo {
  id: string;
  flowName: string;
  createdAt: number;
  /** Null: the run comes from a file. */
  flowId: string | null;
  /** The run that it continues from a step. */
  forkedFrom: string | null;
  /** How many runs continue it. */
  forks: number;
  /** The name of the schedule or webhook that started it. */
  trigger: string | null;
  /** What it ran: its revision, and which version of the flow that is. Null: the run comes from a file. */
  version: (RunVersion & { id: string }) | null;
}

interface RunHeaderProps {
  run: RunInfo;
  trace: TraceView;
  connection: ConnectionStatus;
  now: number;
  /** Id of the previous run of the flow. */
  previous: string | null;
}

/** The one header of the page; a run from a file has the bar of its file above it. */
export function RunHeader({ run, trace, connection, now, previous }: RunHeaderProps) {
  const { status, startedAt, simulated, error } = trace.run;
  return (
    <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-2 border-b bg-surface px-3 max-sm:py-1.5">
      {run.flowId !== null && <Breadcrumb />}
      <h1
        id="run-heading"
        tabIndex={-1}
        className="min-w-0 truncate rounded font-semibold text-sm max-sm:flex-1 max-sm:basis-16"
        title={run.flowName}
      >
        {run.flowName}
      </h1>
      <span className="flex items-center gap-2 max-sm:order-3">
        <StatusBadge status={toShownStatus(status, error?.code)} />
        <WarningBadge count={trace.warningCount} />
        {simulated && <SimulatedBadge isShort share={countSimulatedAgents(trace)} />}
      </span>
      <span className="text-text-muted text-xs max-lg:hidden">
        <Moment at={startedAt ?? run.createdAt} />
      </span>
      {run.trigger !== null && (
        <Link href="/triggers" className="max-w-56 truncate text-text-muted text-xs underline max-lg:hidden">
          Started by {run.trigger}
        </Link>
      )}
      <VersionLink run={run} />
      <Lineage run={run} />
      {connection === "retrying" && (
        <span className="flex items-center gap-1 text-warning max-sm:order-5">
          <WifiOff size={14} aria-hidden /> Connection lost, reconnecting
        </span>
      )}
      <span aria-hidden className="order-2 basis-full pb-1 sm:hidden" />
      <Figures trace={trace} elapsedMs={runTime(trace, now, run.createdAt)} />
      {run.flowId !== null && <RunActions run={run} status={status} previous={previous} />}
    </div>
  );
}

interface RunActionsProps extends Pick<RunHeaderProps, "run" | "previous"> {
  status: RunStatus;
}

function RunActions({ run, status, previous }: RunActionsProps) {
  return (
    <div className="flex items-center gap-1 max-sm:order-1">
      <Link
        href={`/flows/${run.flowId}`}
        aria-label="Edit flow"
        title="Edit flow"
        className={buttonClass("ghost", "small")}
      >
        <Pencil size={14} aria-hidden /> <span className="max-md:hidden">Edit flow</span>
      </Link>
      {isTerminal(status) ? (
        <RunAgainButton runId={run.id} variant="secondary" />
      ) : (
        <>
          <PauseButton runId={run.id} status={status} />
          <CancelButton runId={run.id} />
        </>
      )}
      <ShareButton run={run} />
      <span className="contents max-sm:hidden">
        <ThemeToggle />
      </span>
      <RunMenu run={run} previous={previous} />
    </div>
  );
}

const versionWords = { published: ", published", draft: ", draft" } as const;

const VersionLink = ({ run: { flowId, version } }: { run: RunInfo }) =>
  flowId !== null &&
  version !== null && (
    <Link
      href={`/flows/${flowId}?version=${version.id}`}
      title="The version that ran"
      className="max-w-56 truncate text-text-muted text-xs underline tabular-nums max-sm:order-3"
    >
      v{version.number}
      {version.name !== null && `, ${version.name}`}
      {version.state !== null && versionWords[version.state]}
    </Link>
  );

const Lineage = ({ run }: { run: RunInfo }) => (
  <>
    {run.forkedFrom !== null && (
      <span className="flex gap-2 text-text-muted text-xs max-md:hidden">
        <Link href={`/runs/${run.forkedFrom}`} className="underline">
          Continues another run
        </Link>
        <Link href={`/runs/compare?runs=${run.forkedFrom},${run.id}`} className="underline">
          Compare
        </Link>
      </span>
    )}
    {run.forks > 0 && <ForksButton runId={run.id} count={run.forks} />}
  </>
);

const Breadcrumb = () => (
  <nav aria-label="Breadcrumb" className="flex shrink-0 items-center gap-1 text-text-muted">
    <a href="#run-heading" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-2">
      Skip to content
    </a>
    <Link
      href="/"
      aria-label="Flows"
      title="Flows"
      className="grid size-7 place-items-center rounded-md hover:bg-surface-hover"
    >
      <Logo />
    </Link>
    <Link href="/runs" className="rounded-md px-1 py-0.5 hover:bg-surface-hover hover:text-text max-sm:hidden">
      Runs
    </Link>
    <span aria-hidden className="text-text-faint max-sm:hidden">
      /
    </span>
  </nav>
);

function Figures({ trace, elapsedMs }: { trace: TraceView; elapsedMs: number }) {
  const usage = trace.usageOf(0);
  return (
    <dl className="ml-auto flex gap-x-3 text-text-muted text-xs tabular-nums max-sm:order-4">
      <Figure name="Time" isPlain value={formatDuration(elapsedMs)} />
      <Figure name="Tokens" value={formatUsageTokens(usage)} />
      <Figure name="Cost" isPlain value={formatUsageCost(usage)} />
    </dl>
  );
}

/** `isPlain`: its unit is enough on a phone. */
const Figure = ({ name, value, isPlain = false }: { name: string; value: string; isPlain?: boolean }) => (
  <div className="flex items-baseline gap-1">
    <dt className={isPlain ? "max-sm:sr-only" : ""}>{name}</dt>
    <dd className="font-semibold text-[13px] text-text">{value}</dd>
  </div>
);

function RunMenu({ run, previous }: Pick<RunHeaderProps, "run" | "previous">) {
  const { id: runId, flowId, forkedFrom, version } = run;
  const router = useRouter();
  const compare = (label: string, onSelect: () => void) => ({ heading: "Compare", label, onSelect });
  const compareWith = (other: string) => () => router.push(`/runs/compare?runs=${other},${runId}`);
  const download = (label: string, resource: string) => ({
    heading: "Download",
    label,
    onSelect: () => window.location.assign(`/api/v1/runs/${runId}/${resource}`),
  });
  return (
    <Menu
      label="Run actions"
      items={[
        ...(forkedFrom === null ? [] : [compare("Compare with the run that it continues", compareWith(forkedFrom))]),
        ...(previous === null ? [] : [compare("Compare with the previous run", compareWith(previous))]),
        ...(version === null
          ? []
          : [
              compare("What changed in the flow since", () =>
                router.push(`/flows/${flowId}/diff?from=${version.id}&to=latest`),
              ),
            ]),
        download("Download as a run file", "file"),
        download("Download the trace (OTLP)", "otlp"),
        download("Download the trace with texts (OTLP)", "otlp?content=1"),
      ]}
    />
  );
}

function ShareButton({ run: { id, flowName } }: { run: RunInfo }) {
  const [isOpen, setOpen] = useState(false);
  const { team, mayEdit } = useAccess();
  if (team === null || !mayEdit) return null;
  return (
    <>
      <Button size="small" variant="ghost" aria-label="Share" title="Share" onClick={() => setOpen(true)}>
        <Share2 size={14} aria-hidden /> <span className="max-lg:hidden">Share</span>
      </Button>
      {isOpen && <ShareDialog target={{ type: "run", id, name: flowName }} onClose={() => setOpen(false)} />}
    </>
  );
}
