"use client";
import { useState } from "react";
import { isFailure, isTerminal } from "@/lib/core/run/events/events";
import type { RunWarning } from "@/lib/core/run/events/warnings";
import type { TraceSnapshot } from "@/lib/core/trace/model/trace-snapshot";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { RunQuestions, type WaitingStep } from "../_run/human-input/run-questions";
import { describeEnd, RunAnnouncer } from "../_run/run-announcer";
import { mostListed, RunWarnings } from "../_run/run-warnings";
import { LoadProblem } from "../_ui/controls/load-problem";
import { useNow } from "./hooks/use-environment";
import { type FailingStep, RunFailure } from "./run-failure";
import { RunHeader, type RunInfo } from "./run-header";
import type { RunSource } from "./source/run-source";
import type { TraceSource } from "./source/trace-source";
import { useTrace } from "./source/use-trace";
import { useViewState } from "./state/view-state";
import { StepPane } from "./step/step-pane";
import { type RunViews, Timeline, type TimelineProps } from "./timeline/timeline";

interface RunSources {
  traces: TraceSource;
  steps: RunSource;
  /** Rendered into the page; null: it is loaded. */
  structure: TraceSnapshot | null;
}

interface RunViewProps {
  run: RunInfo;
  sources: RunSources;
  neighbours: TimelineProps["neighbours"];
  views: RunViews;
}

export function RunView(props: RunViewProps) {
  const [tries, setTries] = useState(0);
  return <Attempt key={tries} {...props} onRetry={() => setTries(tries + 1)} />;
}

function Attempt({ run, sources, neighbours, views, onRetry }: RunViewProps & { onRetry(): void }) {
  const { traces, steps, structure } = sources;
  const { trace, receivedAt, connection, problem } = useTrace(traces, structure);
  const [state, change] = useViewState();
  const { until } = steps;
  const isLive = until === null && trace !== null && !isTerminal(trace.run.status);
  const clock = useNow(isLive, receivedAt);
  const now = until ?? clock;
  const onChange = (next: Parameters<typeof change>[0]): void => void change(next);
  if (!trace) return <LoadingRun run={run} problem={problem} onRetry={onRetry} />;
  const warnings = countWarnings(trace);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <RunHeader
        run={run}
        trace={trace}
        connection={connection}
        warnings={warnings}
        now={now}
        previous={neighbours.previous}
      />
      {until === null && <RunQuestions runId={run.id} waiting={waitingIn(trace)} heading="run-heading" />}
      <RunFailure
        run={run.flowId === null ? null : { id: run.id, flowId: run.flowId }}
        error={trace.run.error}
        steps={trace.run.error ? failingSteps(trace) : []}
        onSelect={(node) => onChange({ node })}
      />
      <RunWarnings warnings={firstWarnings(trace)} count={warnings} link={{ onSelect: (node) => onChange({ node }) }} />
      <RunAnnouncer newest={describeNewestAgent(trace, warnings)} />
      {trace.length === 0 ? (
        <p className="p-4 text-text-muted">{isLive ? "Waiting for the first step …" : "This run has no steps."}</p>
      ) : (
        <Timeline
          run={{ trace, live: isLive, now }}
          state={state}
          onChange={onChange}
          views={views}
          neighbours={neighbours}
          detail={(selected, onSelect) => (
            <StepPane key={selected} trace={trace} span={selected} steps={steps} now={now} onSelect={onSelect} />
          )}
        />
      )}
    </div>
  );
}

function LoadingRun({ run, problem, onRetry }: { run: RunInfo; problem: string | null; onRetry(): void }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-11 items-center border-b px-4 font-semibold text-sm">{run.flowName}</div>
      {problem === null ? (
        <div role="status" className="flex flex-col gap-px p-2">
          <span className="sr-only">Loading the steps.</span>
          {Array.from({ length: 12 }, (_, row) => row).map((row) => (
            <div key={row} aria-hidden className="h-6 rounded bg-surface-sunken motion-safe:animate-pulse" />
          ))}
        </div>
      ) : (
        <LoadProblem onRetry={onRetry}>The steps could not be loaded: {problem}</LoadProblem>
      )}
    </div>
  );
}

const waitingIn = (trace: TraceView): WaitingStep[] =>
  [...trace.questions].map(([span, question]) => ({ id: span + 1, name: trace.nameOf(span), question }));

const countWarnings = (trace: TraceView): number =>
  [...trace.warnings.values()].reduce((count, { length }) => count + length, 0);

const firstWarnings = (trace: TraceView): RunWarning[] =>
  [...trace.warnings]
    .toSorted(([a], [b]) => a - b)
    .slice(0, mostListed)
    .flatMap(([span, warnings]) => {
      const path = trace.pathOf(span);
      return warnings.map((warning) => ({ ...warning, node: span + 1, path }));
    });

function describeNewestAgent(trace: TraceView, warnings: number): string {
  const { newestAgent: span, columns, run } = trace;
  const agent = {
    name: trace.nameOf(span),
    status: trace.statusOf(span),
    startedAt: columns.start[span],
    endedAt: columns.end[span],
  };
  return describeEnd({ ...run, warnings }, span < 0 ? undefined : agent);
}

function failingSteps(trace: TraceView): FailingStep[] {
  const steps: FailingStep[] = [];
  for (let span = 0; span < trace.length; span++) {
    const status = trace.statusOf(span);
    if (!isFailure(status) && !trace.hasFailedBelow(span)) continue;
    const above = trace.columns.parent[span] ?? -1;
    steps.push({
      id: span + 1,
      parent: above < 0 ? undefined : above + 1,
      path: trace.pathOf(span),
      kind: trace.kindOf(span),
      name: trace.nameOf(span),
      status,
      endedAt: trace.columns.end[span],
    });
  }
  return steps;
}
