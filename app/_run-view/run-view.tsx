import dynamic from "next/dynamic";
import { useState } from "react";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { explainFailure } from "@/lib/core/trace/model/failure";
import { findFailingStep } from "@/lib/core/trace/model/find-failure";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import type { TraceSource } from "../_run/follow/trace-source";
import { useTrace } from "../_run/follow/use-trace";
import { RetryButton } from "../_run/retry-button";
import { describeNewestEnd, RunAnnouncer } from "../_run/run-announcer";
import { RunWarnings } from "../_run/run-warnings";
import { useAccess } from "../_ui/access/access";
import { Button } from "../_ui/controls/button";
import { LoadProblem } from "../_ui/controls/load-problem";
import { loadPart } from "../_ui/loading/load-part";
import { FailureLine } from "./failure-line";
import { useKeyedMemo } from "./hooks/keyed-memo";
import { useNow } from "./hooks/use-environment";
import { Remedy } from "./remedy";
import { RunHeader, type RunInfo } from "./run-header";
import { useViewState } from "./state/view-state";
import { type RunSources, Timeline, type TimelineProps } from "./timeline/timeline";

const RunQuestions = dynamic(
  () => loadPart(() => import("../_run/human-input/run-questions")).then((part) => part.RunQuestions),
  {
    ssr: false,
  },
);

interface RunViewProps {
  run: RunInfo;
  sources: RunSources & { traces: TraceSource };
  neighbours: TimelineProps["neighbours"];
}

export function RunView({ run, sources, neighbours }: RunViewProps) {
  "use no memo"; // A trace changes without its tables changing their identity.
  const { mayRun } = useAccess();
  const { trace, receivedAt, connection, problem, retry } = useTrace(sources.traces);
  const [state, change] = useViewState();
  const { until } = sources.steps;
  const isLive = until === null && trace !== null && !isTerminal(trace.run.status);
  const clock = useNow(isLive, receivedAt);
  const now = until ?? clock;
  const { id, flowId } = run;
  const hasAsked = useHasAsked(until === null ? trace : null);
  const failingStep = useKeyedMemo([trace?.version], () => trace && findFailingStep(trace)) ?? undefined;
  const onChange = (next: Parameters<typeof change>[0]): void => void change(next);
  if (!trace) return <LoadingRun run={run} problem={problem} onRetry={retry} />;
  const failure = trace.run.error ? explainFailure(trace.run.error, failingStep ?? null) : null;
  const remedy = failure?.action;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <RunHeader run={run} trace={trace} connection={connection} now={now} previous={neighbours.previous} />
      <FailureLine
        trace={trace}
        step={failingStep}
        failure={failure}
        actions={
          <>
            {failingStep && (
              <Button size="small" variant="ghost" onClick={() => onChange({ node: failingStep.id })}>
                Show step
              </Button>
            )}
            {flowId !== null && remedy && remedy.type !== "retry" && (
              <Remedy runId={id} flowId={flowId} action={remedy} />
            )}
            {flowId !== null && (
              <RetryButton runId={id} trace={trace} variant={remedy?.type === "retry" ? "primary" : "secondary"} />
            )}
          </>
        }
      />
      <RunWarnings trace={trace} link={{ onSelect: (node) => onChange({ node }) }} />
      <RunAnnouncer newest={describeNewestEnd(trace)} />
      {trace.length === 0 ? (
        <p className="p-4 text-text-muted">{isLive ? "Waiting for the first step …" : "This run has no steps."}</p>
      ) : (
        <Timeline
          run={{ trace, live: isLive, now }}
          state={{ ...state, node: state.node ?? failingStep?.id ?? null }}
          onChange={onChange}
          sources={sources}
          neighbours={neighbours}
          questions={hasAsked && mayRun && <Questions key={id} runId={id} trace={trace} />}
        />
      )}
    </div>
  );
}

const Questions = (props: { runId: string; trace: TraceView }) => (
  <RunQuestions {...props} heading="run-heading" className="max-h-[70%] max-lg:-order-1" />
);

/** Stays true, so that the focus can leave the last question. */
function useHasAsked(trace: TraceView | null): boolean {
  const [hasAsked, setHasAsked] = useState(false);
  if (!hasAsked && trace && trace.questions.size > 0) setHasAsked(true);
  return hasAsked;
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
