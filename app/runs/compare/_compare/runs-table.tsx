import Link from "next/link";
import type { ReactNode } from "react";
import { MessageText } from "@/app/_ui/text/message-text";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import { isPartlySimulated } from "@/lib/core/trace/timeline/simulated-share";
import type { ComparedRun, RunComparison } from "@/lib/server/runs/read/compare-runs";
import { SimulatedBadge } from "../../../_ui/badges/simulated-badge";
import { StatusBadge } from "../../../_ui/badges/status-badge";
import { formatDuration, formatUsageCost, formatUsageTokens } from "../../../_ui/format/format";
import { RelativeTime } from "../../../_ui/format/relative-time";
import { phoneStyle, tableWidth } from "./columns";
import { costDelta, type Delta, DeltaText, durationDelta, tokensDelta } from "./deltas";
import { letterOf } from "./letters";
import { OriginText } from "./origin-text";

interface ComparisonFact {
  name: string;
  show(run: ComparedRun, runs: readonly ComparedRun[]): ReactNode;
  /** Whether it is known only at the end of a run, so that before there is nothing to compare. */
  isOfEnd?: true;
  delta?(base: ComparedRun, run: ComparedRun, comparison: RunComparison["others"][number]): Delta | null;
}

const same: Delta = { text: "same", tone: "same" };
const differs: Delta = { text: "differs", tone: "more" };
const tokensOf = ({ usage }: ComparedRun): number => usage.input + usage.output;

const facts: readonly ComparisonFact[] = [
  { name: "Started", show: ({ createdAt }) => (createdAt === null ? "no date" : <RelativeTime at={createdAt} />) },
  {
    name: "Flow",
    show: ({ flowName }) => <span className="line-clamp-1">{flowName}</span>,
    delta: (_, __, { flow: { type } }) => {
      if (type === "busy") return null;
      return type === "same" ? { ...same, text: "same text" } : { ...differs, text: "text differs" };
    },
  },
  {
    name: "Continues",
    show: ({ origin }, runs) => origin && <OriginText origin={origin} runs={runs} />,
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
    isOfEnd: true,
    show: ({ status, simulated, models, error }) => (
      <span className="flex flex-col items-start gap-1">
        <span className="flex flex-wrap gap-1">
          <StatusBadge status={toShownStatus(status, error?.code)} />
          {simulated && <SimulatedBadge share={isPartlySimulated(models) ? "some" : undefined} />}
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
    isOfEnd: true,
    show: ({ durationMs }) => formatDuration(durationMs),
    delta: (base, { durationMs }) => durationDelta(base.durationMs, durationMs),
  },
  {
    name: "Tokens",
    isOfEnd: true,
    show: ({ usage }) => formatUsageTokens(usage),
    delta: (base, run) => tokensDelta(tokensOf(base), tokensOf(run)),
  },
  {
    name: "Cost",
    isOfEnd: true,
    show: ({ usage }) => formatUsageCost(usage),
    delta: (base, { usage }) => costDelta(base.usage, usage),
  },
];

/** Without forks there is nothing to name that they continue. */
const toShownFacts = (runs: readonly ComparedRun[]): readonly ComparisonFact[] =>
  runs.some(({ origin }) => origin) ? facts : facts.filter(({ name }) => name !== "Continues");

export function RunsTable({ runs, others: comparisons, against }: RunComparison & { against: number }) {
  const [base] = runs;
  return (
    <section aria-label="Runs" tabIndex={0} className="overflow-x-auto rounded-lg border bg-surface">
      <table className="w-full table-fixed text-left align-top tabular-nums" style={tableWidth}>
        <colgroup>
          <col className="w-(--step-width)" />
          <col className="w-(--run-width)" />
          {runs.slice(2).map(({ id }) => (
            <col key={id} className="w-(--run-width) max-sm:hidden" />
          ))}
          <col />
        </colgroup>
        <thead className="border-b bg-surface-sunken">
          <tr>
            <td className="sticky left-0 z-10 bg-surface-sunken px-3 py-2" />
            {runs.map(({ id, origin }, index) => (
              <RunHead
                key={id}
                id={id}
                model={origin?.model ?? null}
                index={index}
                className={phoneStyle(index, against)}
              />
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {toShownFacts(runs).map(({ name, show, isOfEnd, delta }) => (
            <tr key={name}>
              <th
                scope="row"
                className="sticky left-0 z-10 bg-surface px-2 py-2 align-top font-normal sm:px-3 text-text-muted"
              >
                {name}
              </th>
              {runs.map((run, index) => {
                const comparison = comparisons[index - 1];
                const isComparable = base && (!isOfEnd || (isTerminal(base.status) && isTerminal(run.status)));
                return (
                  <td key={run.id} className={`px-2 py-2 align-top sm:px-3 ${phoneStyle(index, against)}`}>
                    <div className="flex flex-wrap items-baseline gap-x-2">
                      {show(run, runs)}
                      {isComparable && comparison && delta && <DeltaText delta={delta(base, run, comparison)} />}
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

interface RunHeadProps {
  id: string;
  /** With which a fork began; null: it changed none. */
  model: string | null;
  index: number;
  className: string;
}

const RunHead = ({ id, model, index, className }: RunHeadProps) => (
  <th scope="col" className={`px-2 py-2 align-top font-medium sm:px-3 ${className}`}>
    <span className="flex items-center gap-2">
      <span className="inline-flex size-5 shrink-0 items-center justify-center rounded bg-surface-hover font-semibold text-xs">
        {letterOf(index)}
      </span>
      <Link href={`/runs/${id}`} className="rounded hover:underline" aria-label={`Run ${letterOf(index)}`}>
        {index === 0 ? "Base" : `Run ${letterOf(index)}`}
      </Link>
    </span>
    {model !== null && (
      <span className="mt-0.5 block font-mono font-normal text-text-muted text-xs [overflow-wrap:anywhere]">
        {model}
      </span>
    )}
  </th>
);
