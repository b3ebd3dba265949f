"use client";
import { ListVideo } from "lucide-react";
import type { Route } from "next";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { isTerminal, runStatuses } from "@/lib/core/run/events";
import type { RunSummary } from "@/lib/server/runs/queries";
import { buttonClass } from "../_ui/button";
import { EmptyState } from "../_ui/empty-state";
import { formatDuration, formatTokens, formatUsageCost } from "../_ui/format";
import { RelativeTime } from "../_ui/relative-time";
import { SimulatedBadge } from "../_ui/simulated-badge";
import { StatusBadge, statusLooks } from "../_ui/status-badge";

interface RunListProps {
  runs: readonly RunSummary[];
  next: string | null;
  flows: readonly { id: string; name: string }[];
  status: string;
  flow: string;
  isFirst: boolean;
}

const refreshMs = 2000;

function toAddress(search: Record<string, string>): Route {
  const query = new URLSearchParams(Object.entries(search).filter(([, value]) => value !== "")).toString();
  return query === "" ? "/runs" : `/runs?${query}`;
}

/** Every run of the viewer, newest first. */
export function RunList({ runs, next, flows, status, flow, isFirst }: RunListProps) {
  const router = useRouter();
  const active = runs.some((run) => !isTerminal(run.status));
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => router.refresh(), refreshMs);
    return () => clearInterval(timer);
  }, [active, router]);
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-4 px-4 py-6">
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="mr-auto font-semibold text-lg">Runs</h1>
        <Filter
          label="Flow"
          all="All flows"
          value={flow}
          options={flows}
          onChoose={(id) => router.push(toAddress({ status, flow: id }))}
        />
        <Filter
          label="Status"
          all="Any status"
          value={status}
          options={runStatuses.map((one) => ({ id: one, name: statusLooks[one].word }))}
          onChoose={(one) => router.push(toAddress({ flow, status: one }))}
        />
      </div>
      {runs.length === 0 ? (
        <EmptyState
          icon={<ListVideo size={32} aria-hidden />}
          title={status || flow ? "No run matches" : "Nothing has run yet"}
        >
          <p>
            {status || flow
              ? "Choose other filters."
              : "Open a flow and press Run: every step it takes can be read here afterwards."}
          </p>
          <Link href={status || flow ? "/runs" : "/"} className={buttonClass()}>
            {status || flow ? "Show all runs" : "To the flows"}
          </Link>
        </EmptyState>
      ) : (
        <ul className="divide-y overflow-hidden rounded-lg border">
          {runs.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      )}
      <div className="flex justify-between">
        {isFirst ? (
          <span />
        ) : (
          <Link className={buttonClass()} href={toAddress({ status, flow })}>
            Newest
          </Link>
        )}
        {next !== null && (
          <Link className={buttonClass()} href={toAddress({ status, flow, before: next })}>
            Older runs
          </Link>
        )}
      </div>
    </div>
  );
}

interface FilterProps {
  label: string;
  /** What choosing nothing is called. */
  all: string;
  value: string;
  options: readonly { id: string; name: string }[];
  onChoose(id: string): void;
}

function Filter({ label, all, value, options, onChoose }: FilterProps) {
  return (
    <select
      aria-label={label}
      className="h-8 max-w-48 rounded-md border border-line-strong bg-surface px-2"
      value={value}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{all}</option>
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function RunRow({ run }: { run: RunSummary }) {
  const { id, flowName, status, input, usage, simulated, createdAt, startedAt, endedAt, error } = run;
  return (
    <li className="relative flex items-center gap-3 px-4 py-3 transition-colors hover:bg-surface-sunken">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-2">
          <Link href={`/runs/${id}`} className="max-w-full truncate font-medium text-sm after:absolute after:inset-0">
            {flowName}
          </Link>
          <StatusBadge status={status} />
          {simulated && <SimulatedBadge />}
        </div>
        <p className="truncate text-text-muted">{error?.message ?? input.text}</p>
      </div>
      <dl className="hidden shrink-0 grid-cols-3 gap-x-4 text-right text-text-muted tabular-nums sm:grid">
        <div className="w-16">
          <dt className="sr-only">Duration</dt>
          <dd>{startedAt !== null && endedAt !== null ? formatDuration(endedAt - startedAt) : "–"}</dd>
        </div>
        <div className="w-20">
          <dt className="sr-only">Tokens</dt>
          <dd>
            {usage.estimated ? "≈ " : ""}
            {formatTokens(usage.input + usage.output)} tok
          </dd>
        </div>
        <div className="w-16">
          <dt className="sr-only">Cost</dt>
          <dd>{formatUsageCost(usage)}</dd>
        </div>
      </dl>
      <span className="w-24 shrink-0 text-right text-text-muted">
        <RelativeTime at={createdAt} />
      </span>
    </li>
  );
}
