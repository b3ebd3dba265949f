import Link from "next/link";
import type { ReactNode } from "react";
import { MessageText } from "@/app/_ui/text/message-text";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import type { RunComparison } from "@/lib/server/runs/read/compare-runs";
import type { RunSummary } from "@/lib/server/runs/read/queries";
import { SimulatedBadge } from "../../../_ui/badges/simulated-badge";
import { StatusBadge } from "../../../_ui/badges/status-badge";
import { formatDuration, formatUsageCost, formatUsageTokens } from "../../../_ui/format/format";
import { RelativeTime } from "../../../_ui/format/relative-time";
import { toTableWidth } from "./columns";
import { costDelta, type Delta, DeltaText, durationDelta, tokensDelta } from "./deltas";
import { letterOf } from "./letters";

interface ComparisonFact {
  name: string;
  show(run: RunSummary): ReactNode;
  delta?(base: RunSummary, run: RunSummary, comparison: RunComparison["others"][number]): Delta | null;
}

const same: Delta = { text: "same", tone: "same" };
const differs: Delta = { text: "differs", tone: "more" };
const tokensOf = ({ usage }: RunSummary): number => usage.input + usage.output;

const facts: readonly ComparisonFact[] = [
  { name: "Started", show: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    name: "Flow",
    show: ({ flowName }) => <span className="line-clamp-1">{flowName}</span>,
    delta: (_, __, { flow }) =>
      flow.type === "same" ? { ...same, text: "same text" } : { ...differs, text: "text differs" },
  },
  {
    name: "Input",
    show: ({ input }) => (
      <span className="line-clamp-2 max-w-80 whitespace-pre-wrap [overflow-wrap:anywhere]">{input.text}</span>
    ),
    delta: (_, __, { sameInput }) => (sameInput ? same : differs),
  },
  {
    name: "Status",
    show: ({ status, simulated, error }) => (
      <span className="flex flex-col items-start gap-1">
        <span className="flex flex-wrap gap-1">
          <StatusBadge status={toShownStatus(status, error?.code)} />
          {simulated && <SimulatedBadge />}
        </span>
        {error && (
          <span className="line-clamp-2 max-w-80 text-text-muted text-xs">
            <MessageText text={error.message} />
          </span>
        )}
      </span>
    ),
    delta: (base, { status }) => (base.status === status ? same : differs),
  },
  {
    name: "Time",
    show: ({ durationMs }) => formatDuration(durationMs),
    delta: (base, { durationMs }) => durationDelta(base.durationMs, durationMs),
  },
  {
    name: "Tokens",
    show: ({ usage }) => formatUsageTokens(usage),
    delta: (base, run) => tokensDelta(tokensOf(base), tokensOf(run)),
  },
  {
    name: "Cost",
    show: ({ usage }) => formatUsageCost(usage),
    delta: (base, { usage }) => costDelta(base.usage.cost, usage.cost),
  },
];

export function RunsTable({ runs, others: comparisons }: RunComparison) {
  const [base] = runs;
  return (
    <section aria-label="Runs" tabIndex={0} className="overflow-x-auto rounded-lg border bg-surface">
      <table className="w-full table-fixed text-left align-top tabular-nums" style={toTableWidth(runs.length)}>
        <colgroup>
          <col className="w-(--step-width)" />
          {runs.slice(1).map(({ id }) => (
            <col key={id} className="w-(--run-width)" />
          ))}
          <col />
        </colgroup>
        <thead className="border-b bg-surface-sunken">
          <tr>
            <td className="sticky left-0 z-10 bg-surface-sunken px-3 py-2" />
            {runs.map(({ id }, index) => (
              <th key={id} scope="col" className="px-2 py-2 font-medium sm:px-3">
                <span className="flex items-center gap-2">
                  <span className="inline-flex size-5 shrink-0 items-center justify-center rounded bg-surface-hover font-semibold text-xs">
                    {letterOf(index)}
                  </span>
                  <Link href={`/runs/${id}`} className="rounded hover:underline" aria-label={`Run ${letterOf(index)}`}>
                    {index === 0 ? "Base" : `Run ${letterOf(index)}`}
                  </Link>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {facts.map(({ name, show, delta }) => (
            <tr key={name}>
              <th
                scope="row"
                className="sticky left-0 z-10 bg-surface px-2 py-2 align-top font-normal sm:px-3 text-text-muted"
              >
                {name}
              </th>
              {runs.map((run, index) => {
                const comparison = comparisons[index - 1];
                return (
                  <td key={run.id} className="px-2 py-2 align-top sm:px-3">
                    <div className="flex flex-wrap items-baseline gap-x-2">
                      {show(run)}
                      {base && comparison && delta && <DeltaText delta={delta(base, run, comparison)} />}
                    </div>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
