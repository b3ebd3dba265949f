import { GitCompareArrows } from "lucide-react";
import Link from "next/link";
import * as z from "zod/mini";
import { runErrorSchema, runStatusSchema } from "@/lib/core/run/events/events";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { usageSchema } from "@/lib/core/run/events/usage-schema";
import { mostComparedRuns } from "@/lib/core/trace/model/compared-runs";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import type { RunFork } from "@/lib/server/runs/read/list-forks";
import { describeChange } from "../../_run/fork-change";
import { StatusBadge } from "../../_ui/badges/status-badge";
import { buttonClass } from "../../_ui/controls/button";
import { Dialog } from "../../_ui/controls/dialog";
import { LoadProblem } from "../../_ui/controls/load-problem";
import { formatDuration, formatUsageCost, formatUsageTokens } from "../../_ui/format/format";
import { RelativeTime } from "../../_ui/format/relative-time";
import { fetchJson } from "../../_ui/loading/fetch-json";
import { useLoaded } from "../../_ui/loading/use-loaded";

const forkSchema: z.ZodMiniType<RunFork> = z.object({
  id: z.string(),
  status: runStatusSchema,
  error: z.nullable(runErrorSchema),
  usage: usageSchema,
  createdAt: z.number(),
  durationMs: z.nullable(z.number()),
  step: z.string(),
  model: z.nullable(z.string()),
  hasInput: z.boolean(),
  hasInstructions: z.boolean(),
});
const answerSchema = z.object({ forks: z.array(forkSchema) });

const compareAddress = (runId: string, forks: readonly RunFork[]) =>
  `/runs/compare?runs=${[runId, ...forks.map(({ id }) => id)].join()}` as const;

const refreshMs = 2000;

interface ForksDialogProps {
  runId: string;
  onClose(): void;
}

export default function ForksDialog({ runId, onClose }: ForksDialogProps) {
  const { value, problem, retry } = useLoaded({ key: runId, refreshMs }, (signal) =>
    fetchJson(`/api/v1/runs/${runId}/forks`, answerSchema, { signal, cache: "no-store" }),
  );
  // In the order in which they began, as the columns of a comparison.
  const newest = value?.forks.slice(0, mostComparedRuns - 1).toReversed() ?? [];
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Runs that continue this one"
      description="Forks and retries: each reuses the steps before the one that it begins with."
      wide
    >
      {problem !== null && <LoadProblem onRetry={retry}>The forks could not be loaded: {problem}</LoadProblem>}
      {value === null && problem === null && (
        <div aria-busy="true" className="h-24 animate-pulse rounded-md bg-surface-hover" />
      )}
      {value?.forks.length === 0 && <p className="text-text-muted">They have been deleted.</p>}
      {value && value.forks.length > 0 && (
        <>
          <Link href={compareAddress(runId, newest)} className={`mb-3 ${buttonClass("primary", "small")}`}>
            <GitCompareArrows size={14} aria-hidden />{" "}
            {newest.length === 1 ? "Compare with this run" : `Compare the newest ${newest.length} with this run`}
          </Link>
          <ul className="divide-y rounded-md border">
            {value.forks.map((fork) => (
              <ForkRow key={fork.id} runId={runId} fork={fork} />
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

function ForkRow({ runId, fork }: { runId: string; fork: RunFork }) {
  const { id, status, error, usage, createdAt, durationMs, step } = fork;
  const change = describeChange(fork);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <StatusBadge status={toShownStatus(status, error?.code)} />
      <span className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
        <Link href={`/runs/${id}`} className="rounded font-medium underline underline-offset-2">
          From <code className="font-mono text-xs">{step}</code>
        </Link>
        {change !== "" && <span className="block text-text-muted text-xs">{change}</span>}
      </span>
      <span className="text-text-muted text-xs tabular-nums">
        {createdAt === null ? "no date" : <RelativeTime at={createdAt} />} ·{" "}
        {isTerminal(status) ? formatDuration(durationMs) : "under way"} · {formatUsageTokens(usage)} tokens ·{" "}
        {formatUsageCost(usage)}
      </span>
      <Link href={compareAddress(runId, [fork])} className={buttonClass("secondary", "small")}>
        Compare
      </Link>
    </li>
  );
}
