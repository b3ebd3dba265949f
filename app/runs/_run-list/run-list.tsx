"use client";
import { Download, FileUp, ListVideo, SlidersHorizontal } from "lucide-react";
import type { Route } from "next";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useOptimistic, useState, useTransition } from "react";
import { useAccess } from "@/app/_ui/access/access";
import { PageFrame } from "@/app/_ui/shell/page-frame";
import { isTriggerStarter } from "@/lib/core/run/events/run-starter";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { mostComparedRuns } from "@/lib/core/trace/model/compared-runs";
import { type RunFilter, writeRunFilter } from "@/lib/core/trace/model/run-filter";
import type { ListedRun } from "@/lib/server/runs/read/list-runs";
import { Button, buttonClass } from "../../_ui/controls/button";
import { EmptyState } from "../../_ui/controls/empty-state";
import { Sheet } from "../../_ui/controls/lazy-sheet";
import { CompareBar } from "./compare-bar";
import { type FilterChoices, RunFilters } from "./run-filters";
import { RunOverview } from "./run-overview";
import { RunRow } from "./run-row";
import { RunSearch } from "./run-search";

interface RunListProps {
  runs: readonly ListedRun[];
  next: string | null;
  choices: FilterChoices;
  filter: RunFilter;
  isFirst: boolean;
}

const refreshMs = 2000;

function toAddress(filter: RunFilter, params?: Record<string, string>): Route {
  const query = writeRunFilter(filter, params);
  return query === "" ? "/runs" : `/runs?${query}`;
}

export function RunList({ runs, next, choices, filter, isFirst }: RunListProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const active = runs.some((run) => !isTerminal(run.status));
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => router.refresh(), refreshMs);
    return () => clearInterval(timer);
  }, [active, router]);
  const [chosen, setChosen] = useState<readonly ListedRun[]>([]);
  // What is chosen next builds on what was chosen, though its page is still on its way.
  const [pendingFilter, setPendingFilter] = useOptimistic(filter);
  const goTo = (changed: RunFilter, go: (address: Route) => void): void =>
    startTransition(() => {
      setPendingFilter(changed);
      go(toAddress(changed));
    });
  const trashedFlows = new Set(choices.flows.flatMap(({ id, isInTrash }) => (isInTrash ? [id] : [])));
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <PageFrame className="flex flex-col gap-3">
      <Head
        hasRuns={runs.length > 0 || isFiltered || !isFirst}
        filter={pendingFilter}
        choices={choices}
        onChange={(changed) => goTo(changed, router.push)}
        onSearch={(changed) => goTo(changed, router.replace)}
      />
      {runs.length === 0 ? (
        <NoRuns isFiltered={isFiltered || !isFirst} />
      ) : (
        <>
          <RunOverview query={writeRunFilter(filter)} active={active} />
          <Rows
            runs={runs}
            showPerson={choices.people.length > 1 || choices.people.some(({ id }) => isTriggerStarter(id))}
            trashedFlows={trashedFlows}
            isPending={isPending}
            chosen={chosen}
            onChoose={setChosen}
          />
        </>
      )}
      {chosen.length > 0 && <CompareBar ids={chosen.map(({ id }) => id)} onClear={() => setChosen([])} />}
      <Pager filter={filter} isFirst={isFirst} next={next} />
    </PageFrame>
  );
}

const Pager = ({ filter, isFirst, next }: Pick<RunListProps, "filter" | "isFirst" | "next">) => (
  <div className="flex justify-between">
    {isFirst ? (
      <span />
    ) : (
      <Link className={buttonClass()} href={toAddress(filter)}>
        Newest
      </Link>
    )}
    {next !== null && (
      <Link className={buttonClass()} href={toAddress(filter, { before: next })}>
        Older runs
      </Link>
    )}
  </div>
);

interface HeadProps {
  /** Without any there is nothing to find or to export. */
  hasRuns: boolean;
  filter: RunFilter;
  choices: FilterChoices;
  onChange(filter: RunFilter): void;
  onSearch(filter: RunFilter): void;
}

function Head({ hasRuns, filter, choices, onChange, onSearch }: HeadProps) {
  const [inSheet, setInSheet] = useState(false);
  const { q, ...otherFilters } = filter;
  const count = Object.keys(otherFilters).length;
  const { team } = useAccess();
  const query = writeRunFilter(filter, team === null ? {} : { team });
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="mr-auto font-semibold text-xl tracking-tight">Runs</h1>
        {hasRuns && (
          <>
            <RunSearch
              value={q ?? ""}
              onChange={(text) => onSearch({ ...otherFilters, ...(text === "" ? {} : { q: text }) })}
            />
            <Button className="max-sm:order-2 md:hidden" aria-haspopup="dialog" onClick={() => setInSheet(true)}>
              <SlidersHorizontal size={14} aria-hidden /> Filters{count > 0 ? ` (${count})` : ""}
            </Button>
            <a className={buttonClass()} href={`/api/v1/runs/export.csv${query === "" ? "" : `?${query}`}`} download>
              <Download size={14} aria-hidden /> CSV
            </a>
          </>
        )}
        <Link className={buttonClass()} href="/runs/open">
          <FileUp size={14} aria-hidden /> Open a run file
        </Link>
      </div>
      <div className={`hidden flex-wrap items-center gap-2 ${hasRuns ? "md:flex" : ""}`}>
        <RunFilters filter={filter} choices={choices} onChange={onChange} />
        {count > 0 && (
          <Button variant="ghost" onClick={() => onChange(q === undefined ? {} : { q })}>
            Clear filters
          </Button>
        )}
      </div>
      {inSheet && (
        <Sheet title="Filters" onClose={() => setInSheet(false)}>
          <div className="flex h-full flex-col gap-3 overflow-y-auto p-4">
            <RunFilters filter={filter} choices={choices} onChange={onChange} />
            <div className="mt-auto flex justify-end gap-2">
              <Button onClick={() => onChange(q === undefined ? {} : { q })}>Clear filters</Button>
              <Button variant="primary" onClick={() => setInSheet(false)}>
                Show the runs
              </Button>
            </div>
          </div>
        </Sheet>
      )}
    </div>
  );
}

interface RowsProps {
  runs: readonly ListedRun[];
  showPerson: boolean;
  /** Ids of flows in the trash. */
  trashedFlows: ReadonlySet<string>;
  isPending: boolean;
  chosen: readonly ListedRun[];
  onChoose(chosen: readonly ListedRun[]): void;
}

function Rows({ runs, showPerson, trashedFlows, isPending, chosen, onChoose }: RowsProps) {
  const check = (run: ListedRun, checked: boolean): void => {
    const otherRuns = chosen.filter(({ id }) => id !== run.id);
    onChoose(checked ? [...otherRuns, run].sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0)) : otherRuns);
  };
  return (
    <ul
      aria-label="Runs"
      aria-busy={isPending}
      className="divide-y overflow-hidden rounded-lg border bg-surface transition-opacity aria-busy:opacity-60"
    >
      {runs.map((run) => (
        <RunRow
          key={run.id}
          run={run}
          showPerson={showPerson}
          isFlowInTrash={trashedFlows.has(run.flowId)}
          checked={chosen.some(({ id }) => id === run.id)}
          full={chosen.length >= mostComparedRuns}
          onCheck={(checked) => check(run, checked)}
        />
      ))}
    </ul>
  );
}

function NoRuns({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState icon={<ListVideo size={32} aria-hidden />} title={isFiltered ? "No run matches" : "No runs yet"}>
      <p>
        {isFiltered
          ? "Change the filters or the search: every search word must occur in the input or the output."
          : "Open a flow and press Run: its steps, cost and duration appear here."}
      </p>
      <Link href={isFiltered ? "/runs" : "/"} className={buttonClass()}>
        {isFiltered ? "Show all runs" : "Go to the flows"}
      </Link>
    </EmptyState>
  );
}
