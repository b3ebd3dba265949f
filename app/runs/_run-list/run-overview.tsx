import { ChartColumn, Table } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { countNouns, formatCount } from "@/lib/core/flow/format-count";
import type { RunDay, RunSums, RunTotals } from "@/lib/core/trace/model/run-sums";
import { Button } from "../../_ui/controls/button";
import { LoadProblem } from "../../_ui/controls/load-problem";
import { formatDuration, formatSumCost, formatTokens } from "../../_ui/format/format";
import { loadPart } from "../../_ui/loading/load-part";
import { DayTable } from "./day-table";
import { useRunSums } from "./use-run-sums";

const chartsHeight = "min-h-[148px]";
const RunCharts = dynamic(() => loadPart(() => import("./run-charts")), {
  ssr: false,
  loading: () => <div className={chartsHeight} />,
});

export function RunOverview({ query, active }: { query: string; active: boolean }) {
  const { value: sums, isCurrent, problem, retry } = useRunSums(query, active);
  if (problem !== null)
    return (
      <div className="rounded-lg border">
        <LoadProblem onRetry={retry}>The totals could not be loaded: {problem}</LoadProblem>
      </div>
    );
  return <Overview sums={sums} isCurrent={isCurrent} />;
}

/** The totals in one line; the charts of the days on demand, where there is something to compare. */
function Overview({ sums, isCurrent }: { sums: RunSums | null; isCurrent: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const hasDays = sums?.days.some(hasChart) ?? false;
  return (
    <section
      aria-label="Totals"
      aria-busy={!isCurrent}
      className="overflow-hidden rounded-lg border bg-surface transition-opacity aria-busy:opacity-60"
    >
      <div className="flex items-center max-sm:flex-col max-sm:items-stretch">
        <Totals totals={sums?.totals ?? null} />
        {hasDays && (
          <Button
            size="small"
            variant="ghost"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="max-sm:h-9 max-sm:justify-start max-sm:rounded-none max-sm:border-t-line max-sm:px-4 sm:mx-2"
          >
            <ChartColumn size={14} aria-hidden /> By day
          </Button>
        )}
      </div>
      {sums !== null && sums.unreadable > 0 && (
        <p className="border-t px-4 py-2 text-warning text-xs">
          {countNouns(sums.unreadable, "run")} could not be read and {sums.unreadable === 1 ? "is" : "are"} left out.
        </p>
      )}
      {sums && hasDays && isOpen && <Days sums={sums} />}
    </section>
  );
}

const hasChart = ({ cost, medianMs, failureRate }: RunDay): boolean =>
  cost > 0 || medianMs !== null || (failureRate ?? 0) > 0;

const percent = (share: number | null): string =>
  share === null ? "–" : `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

function Totals({ totals }: { totals: RunTotals | null }) {
  const failed = totals ? totals.byStatus.FAILED + totals.byStatus.TIMEOUT : 0;
  const open = totals ? totals.byStatus.INIT + totals.byStatus.RUNNING + totals.byStatus.WAITING : 0;
  return (
    <dl className="grid min-w-0 grid-cols-3 sm:flex-1 gap-x-2 gap-y-1 py-2 pl-4 sm:gap-x-4 sm:pr-4 lg:grid-cols-6">
      <Figure
        name="Runs"
        value={totals && formatCount(totals.runs)}
        more={open > 0 && `${formatCount(open)} in progress`}
      />
      <Figure
        name="Failure rate"
        value={totals && percent(totals.failureRate)}
        more={failed > 0 && `${formatCount(failed)} failed`}
      />
      <Figure
        name="Cost"
        value={totals && formatSumCost(totals)}
        more={totals !== null && totals.unpriced > 0 && `and ${formatCount(totals.unpriced)} of unknown cost`}
      />
      <Figure name="Tokens" value={totals && formatTokens(totals.tokens)} />
      <Figure name="Median time" value={totals && formatDuration(totals.medianMs)} />
      <Figure name={<abbr title="95th percentile">p95 time</abbr>} value={totals && formatDuration(totals.p95Ms)} />
    </dl>
  );
}

interface FigureProps {
  name: ReactNode;
  value: string | null;
  more?: ReactNode;
}

function Figure({ name, value, more: note }: FigureProps) {
  return (
    <div className="min-h-10 min-w-0">
      <dt className="truncate text-text-muted text-xs leading-4">{name}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-2 font-semibold text-sm tabular-nums leading-6">
        {value ?? <span aria-hidden className="my-1 inline-block h-4 w-16 animate-pulse rounded bg-surface-hover" />}
        {note && <span className="truncate font-normal text-text-muted text-xs">{note}</span>}
      </dd>
    </div>
  );
}

function Days({ sums }: { sums: RunSums }) {
  const [asTable, setAsTable] = useState(false);
  return (
    <div className="border-t px-4 pt-1 pb-3">
      <div className="flex items-center gap-2">
        <span className="text-text-muted text-xs">
          {sums.daysCut ? `The latest ${sums.days.length} days` : countNouns(sums.days.length, "day")}
        </span>
        <Button
          size="small"
          variant="ghost"
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
          className="ml-auto"
        >
          <Table size={14} aria-hidden /> As a table
        </Button>
      </div>
      {asTable ? (
        <div className={`max-h-80 overflow-auto ${chartsHeight}`}>
          <DayTable days={sums.days} />
        </div>
      ) : (
        <>
          <RunCharts days={sums.days} />
          <div className="sr-only">
            <DayTable days={sums.days} />
          </div>
        </>
      )}
    </div>
  );
}
