"use client";
import { RotateCcw, WifiOff } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { isTerminal } from "@/lib/core/run/events";
import type { RunState } from "@/lib/core/trace/run-state";
import type { RunSummary } from "@/lib/server/runs/queries";
import { CancelButton } from "../_run/cancel-button";
import type { Connection } from "../_run/use-run-state";
import { Button } from "../_ui/button";
import { formatDuration, formatTokens, formatUsageCost } from "../_ui/format";
import { loadPart } from "../_ui/load-part";
import { SimulatedBadge } from "../_ui/simulated-badge";
import { StatusBadge } from "../_ui/status-badge";

const StartRunDialog = dynamic(() => loadPart(() => import("../_run/start-run-dialog")), { ssr: false });

interface RunHeaderProps {
  run: RunSummary;
  state: RunState;
  connection: Connection;
  now: number;
}

export function RunHeader({ run, state, connection, now }: RunHeaderProps) {
  const running = !isTerminal(state.status);
  const from = state.startedAt ?? run.createdAt;
  const elapsed = (state.endedAt ?? Math.max(now, from)) - from;
  const { usage } = state;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-4 py-2">
      <h1 id="run-heading" tabIndex={-1} className="min-w-0 truncate font-semibold text-sm">
        <Link href={`/flows/${run.flowId}`} className="rounded hover:underline">
          {run.flowName}
        </Link>
      </h1>
      <StatusBadge status={state.status} />
      {state.simulated && <SimulatedBadge />}
      {connection === "retrying" && (
        <span className="flex items-center gap-1 text-warning">
          <WifiOff size={14} aria-hidden /> connection lost, trying again
        </span>
      )}
      <dl className="ml-auto flex gap-4 text-text-muted tabular-nums">
        <Figure name="Time" value={formatDuration(elapsed)} />
        <Figure name="Tokens" value={`${usage.estimated ? "≈ " : ""}${formatTokens(usage.input + usage.output)}`} />
        <Figure name="Cost" value={formatUsageCost(usage)} />
      </dl>
      {running ? <CancelButton runId={run.id} /> : <RunAgain run={run} />}
    </div>
  );
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div className="flex gap-1.5">
    <dt>{name}</dt>
    <dd className="font-medium text-text">{value}</dd>
  </div>
);

function RunAgain({ run }: { run: RunSummary }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        <RotateCcw size={14} aria-hidden /> Run again
      </Button>
      {open && (
        <StartRunDialog
          open
          onOpenChange={setOpen}
          flowId={run.flowId}
          flowName={run.flowName}
          initialInput={run.input.text}
          onStarted={(id) => router.push(`/runs/${id}`)}
        />
      )}
    </>
  );
}
