"use client";
import { Link2 } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { isTerminal } from "@/lib/core/run/events/run-status";
import type { FlowChange, RunComparison } from "@/lib/server/runs/read/compare-runs";
import { Button, buttonClass } from "../../../_ui/controls/button";
import { LineHunks } from "../../../_ui/text/line-hunks";
import { toast } from "../../../_ui/toast/toast";
import { tablesStyle, toRunWidth } from "./columns";
import { letterOf } from "./letters";
import { RunsTable } from "./runs-table";
import { RowOutput, StepsPanel } from "./steps-panel";
import { useComparedSteps } from "./use-compared-steps";

interface CompareViewProps extends RunComparison {
  against: number;
  step: string | null;
}

const pageStyle = "flex w-full flex-1 flex-col gap-6 bg-surface-sunken px-4 pt-4 pb-8 sm:px-8";

export function CompareView({
  runs,
  others: comparisons,
  against: initialAgainst,
  step: initialStep,
}: CompareViewProps) {
  const [against, setAgainst] = useState(initialAgainst);
  const [step, setStep] = useState(initialStep);
  const ids = runs.map(({ id }) => id).join();
  const { steps, problem } = useComparedSteps(ids);
  const show = (next: { against: number; step: string | null }): void => {
    setAgainst(next.against);
    setStep(next.step);
    const query = new URLSearchParams({ runs: ids });
    if (next.against > 1) query.set("with", String(next.against));
    if (next.step !== null) query.set("step", next.step);
    window.history.replaceState(null, "", `/runs/compare?${query}`);
  };
  const change = comparisons[against - 1]?.flow;
  const [root] = steps?.rows ?? [];
  return (
    <div className={`${pageStyle} ${tablesStyle}`} style={toRunWidth(runs.length)}>
      <Head count={runs.length} />
      {runs.some(({ status }) => !isTerminal(status)) && (
        <p className="rounded-md bg-running-soft px-3 py-2 text-running">
          A run is still live: reload the page to see its progress.
        </p>
      )}
      <RunsTable runs={runs} others={comparisons} />
      {runs.length > 2 && (
        <Against count={runs.length} value={against} onChange={(index) => show({ against: index, step })} />
      )}
      <Section title="Flow">{change && <FlowDifference change={change} letter={letterOf(against)} />}</Section>
      {problem !== null ? (
        <p role="alert" className="text-danger">
          The steps could not be read. {problem}
        </p>
      ) : steps === null ? (
        <div aria-busy="true" className="h-96 animate-pulse rounded-lg border bg-surface-hover" />
      ) : root ? (
        <>
          <Section title="Final output">
            <RowOutput row={root} runs={runs} against={against} />
          </Section>
          <Section title="Steps">
            <StepsPanel
              steps={steps}
              runs={runs}
              against={against}
              step={step}
              onStep={(path) => show({ against, step: path })}
            />
          </Section>
        </>
      ) : (
        <p className="text-text-muted">None of these runs has a step.</p>
      )}
    </div>
  );
}

function Head({ count }: { count: number }) {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(window.location.href);
    toast.info("Link copied.");
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h1 className="mr-auto font-semibold text-xl tracking-tight">Compare {count} runs</h1>
      <Button onClick={() => void copy()}>
        <Link2 size={14} aria-hidden /> Copy link
      </Button>
      <Link href="/runs" className={buttonClass()}>
        All runs
      </Link>
    </div>
  );
}

function FlowDifference({ change, letter }: { change: FlowChange; letter: string }) {
  switch (change.type) {
    case "same":
      return <p className="text-text-muted">Same revision: A and {letter} ran the same text.</p>;
    case "too-different":
      return (
        <p className="text-text-muted">The texts of A and {letter} are too different for a line-by-line comparison.</p>
      );
    case "changed":
      return <LineHunks hunks={change.hunks} />;
  }
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid min-w-0 gap-2">
      <h2 className="font-semibold text-sm">{title}</h2>
      {children}
    </section>
  );
}

interface AgainstProps {
  count: number;
  value: number;
  onChange(index: number): void;
}

function Against({ count, value, onChange }: AgainstProps) {
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="float-left mr-2 text-text-muted">Lines and words of A against</legend>
      {Array.from({ length: count - 1 }, (_, index) => index + 1).map((index) => (
        <Button
          key={index}
          size="small"
          variant={index === value ? "primary" : "secondary"}
          aria-pressed={index === value}
          onClick={() => onChange(index)}
        >
          {letterOf(index)}
        </Button>
      ))}
    </fieldset>
  );
}
