"use client";
import { Link2 } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { countNouns } from "@/lib/core/flow/format-count";
import { isTerminal } from "@/lib/core/run/events/run-status";
import type { ComparedFlow, RunComparison } from "@/lib/server/runs/read/compare-runs";
import { Button, buttonClass } from "../../../_ui/controls/button";
import { ChoiceSwitch } from "../../../_ui/controls/choice-switch";
import { LineHunks } from "../../../_ui/text/line-hunks";
import { toast } from "../../../_ui/toast/toast";
import { AgainstPicker } from "./against-picker";
import { tablesStyle, toRunWidth } from "./columns";
import { ForkTexts } from "./fork-texts";
import { letterOf } from "./letters";
import { RunsTable } from "./runs-table";
import { type OutputView, RowOutput, StepsPanel } from "./steps-panel";
import { useComparedSteps } from "./use-compared-steps";
import { useLiveRuns } from "./use-live-runs";

/** What of a comparison is displayed; it is in the address. */
interface CompareState {
  /** Index of the run that the base is compared to. */
  against: number;
  /** Path of the selected step. */
  step: string | null;
  view: OutputView;
}

interface CompareViewProps extends RunComparison, Omit<CompareState, "view"> {
  /** Null: by the number of the runs. */
  view: OutputView | null;
}

const pageStyle = "flex w-full flex-1 flex-col gap-6 bg-surface-sunken px-4 pt-4 pb-8 sm:px-8";

const toDefaultView = (runs: number): OutputView => (runs > 2 ? "columns" : "words");

export function CompareView({ runs, others: comparisons, against, step, view }: CompareViewProps) {
  const defaultView = toDefaultView(runs.length);
  const [state, setState] = useState<CompareState>({ against, step, view: view ?? defaultView });
  const ids = runs.map(({ id }) => id).join();
  const { steps, problem } = useComparedSteps(ids, useLiveRuns(runs));
  const show = (change: Partial<CompareState>): void => {
    const next = { ...state, ...change };
    setState(next);
    const query = new URLSearchParams({ runs: ids });
    if (next.against > 1) query.set("with", String(next.against));
    if (next.step !== null) query.set("step", next.step);
    if (next.view !== defaultView) query.set("outputs", next.view);
    window.history.replaceState(null, "", `/runs/compare?${query}`);
  };
  const change = comparisons[state.against - 1]?.flow;
  const [root] = steps?.rows ?? [];
  const shown = { runs, against: state.against, view: state.view };
  return (
    <div className={`${pageStyle} ${tablesStyle}`} style={toRunWidth(runs.length)}>
      <Head count={runs.length} live={runs.filter(({ status }) => !isTerminal(status)).length} />
      {runs.length > 2 && (
        <AgainstPicker runs={runs} value={state.against} onChange={(index) => show({ against: index })} />
      )}
      <RunsTable runs={runs} others={comparisons} against={state.against} />
      {runs.some(({ changes }) => changes.length > 0) && (
        <Section title="What was changed">
          <ForkTexts runs={runs} />
        </Section>
      )}
      <Section title="Flow">{change && <FlowDifference change={change} letter={letterOf(state.against)} />}</Section>
      {problem !== null && (
        <p role="alert" className="text-danger">
          The steps could not be read. {problem}
        </p>
      )}
      {steps === null && problem === null && (
        <div aria-busy="true" className="h-96 animate-pulse rounded-lg border bg-surface-hover" />
      )}
      {steps && !root && <p className="text-text-muted">None of these runs has a step.</p>}
      {steps && root && (
        <>
          <Section
            title="Final output"
            actions={<OutputViewSwitch value={state.view} onChange={(next) => show({ view: next })} />}
          >
            <RowOutput row={root} {...shown} />
          </Section>
          <Section title="Steps">
            <StepsPanel steps={steps} {...shown} step={state.step} onStep={(path) => show({ step: path })} />
          </Section>
        </>
      )}
    </div>
  );
}

function Head({ count, live }: { count: number; live: number }) {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(window.location.href);
    toast.info("Link copied.");
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h1 className="font-semibold text-xl tracking-tight">Compare {count} runs</h1>
      <p role="status" className="mr-auto text-running">
        {live > 0 && `${live} of ${count} still under way`}
      </p>
      <Button onClick={() => void copy()}>
        <Link2 size={14} aria-hidden /> Copy link
      </Button>
      <Link href="/runs" className={buttonClass()}>
        All runs
      </Link>
    </div>
  );
}

const OutputViewSwitch = ({ value, onChange }: { value: OutputView; onChange(view: OutputView): void }) => (
  <ChoiceSwitch
    label="How outputs are displayed"
    value={value}
    choices={[
      { value: "columns", label: "Side by side" },
      { value: "words", label: "Word by word" },
    ]}
    onChange={onChange}
  />
);

function FlowDifference({ change, letter }: { change: ComparedFlow; letter: string }) {
  switch (change.type) {
    case "same":
      return <p className="text-text-muted">Same revision: A and {letter} ran the same text.</p>;
    case "too-different":
      return (
        <p className="text-text-muted">The texts of A and {letter} are too different for a line-by-line comparison.</p>
      );
    case "busy":
      return <p className="text-text-muted">Too many flows are being compared at once. Reload the page in a moment.</p>;
    case "changed":
      return (
        <>
          <LineHunks hunks={change.hunks} />
          {change.more > 0 && <p className="text-text-muted">And {countNouns(change.more, "more changed line")}.</p>}
        </>
      );
  }
}

function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-semibold text-sm">{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
