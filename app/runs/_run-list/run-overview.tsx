import { ChartColumn, Table } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import type { RunSums, RunTotals } from "@/lib/core/trace/model/run-sums";
import { Button } from "../../_ui/controls/button";
import { formatCost, formatCount, formatDuration, formatTokens } from "../../_ui/format/format";
import { loadPart } from "../../_ui/loading/load-part";
import { useMedia } from "../../_ui/use-media";
import { DayTable } from "./day-table";
import { useRunSums } from "./use-run-sums";

const chartsHeight = "min-h-[196px]";
const RunCharts = dynamic(() => loadPart(() => import("./run-charts")), {
  ssr: false,
  loading: () => <div className={chartsHeight} />,
});

export function RunOverview({ query, active }: { query: string; active: boolean }) {
  const { value: sums, isCurrent, problem, retry } = useRunSums(query, active);
  if (problem !== null)
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3 rounded-lg border px-4 py-3 text-text-muted">
        <p className="min-w-0 flex-1">The totals could not be read. {problem}</p>
        <Button size="small" onClick={retry}>
          Try again
        </Button>
      </div>
    );
  return (
    <section
      aria-label="Totals"
      aria-busy={!isCurrent}
      className="overflow-hidden rounded-lg border transition-opacity aria-busy:opacity-60"
    >
      <Totals totals={sums?.totals ?? null} />
      <Days sums={sums} />
    </section>
  );
}

const percent = (share: number | null): string =>
  share === null ? "–" : `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

function Totals({ totals }: { totals: RunTotals | null }) {
  const failed = totals ? totals.byStatus.FAILED + totals.byStatus.TIMEOUT : 0;
  const open = totals ? totals.byStatus.INIT + totals.byStatus.RUNNING + totals.byStatus.WAITING : 0;
  return (
    <dl className="grid grid-cols-2 gap-px bg-line sm:grid-cols-3 lg:grid-cols-6">
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
        value={totals && formatCost(totals.cost)}
        more={totals !== null && totals.unpriced > 0 && `and ${formatCount(totals.unpriced)} of unknown cost`}
      />
      <Figure name="Tokens" value={totals && formatTokens(totals.tokens)} />
      <Figure name="Median time" value={totals && formatDuration(totals.medianMs)} />
      <Figure name="95th percentile" value={totals && formatDuration(totals.p95Ms)} />
    </dl>
  );
}

function Figure({ name, value, more: note }: { name: string; value: string | null; more?: ReactNode }) {
  return (
    <div className="min-h-[76px] bg-surface px-4 py-2.5">
      <dt className="text-text-muted text-xs">{name}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-2 font-semibold text-base tabular-nums">
        {value ?? <span aria-hidden className="my-1 inline-block h-4 w-16 animate-pulse rounded bg-surface-hover" />}
        {note && <span className="font-normal text-text-muted text-xs">{note}</span>}
      </dd>
    </div>
  );
}

function Days({ sums }: { sums: RunSums | null }) {
  const wide = useMedia("(min-width: 768px)");
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [asTable, setAsTable] = useState(false);
  const open = chosen ?? wide ?? false;
  return (
    <div className="border-t bg-surface">
      <div className="flex items-center gap-1 px-2 py-1">
        <Button size="small" variant="ghost" aria-expanded={open} onClick={() => setChosen(!open)}>
          <ChartColumn size={14} aria-hidden /> By day
        </Button>
        {sums?.daysCut && <span className="text-text-muted text-xs">the latest {sums.days.length} days</span>}
        {open && (
          <Button
            size="small"
            variant="ghost"
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
            className="ml-auto"
          >
            <Table size={14} aria-hidden /> As a table
          </Button>
        )}
      </div>
      <div className={`px-4 pb-3 ${open ? "" : wide === null && chosen === null ? "max-md:hidden" : "hidden"}`}>
        {sums === null || !open ? (
          <div className={chartsHeight} />
        ) : asTable ? (
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
    </div>
  );
}
