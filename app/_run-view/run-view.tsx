import { isTerminal } from "@/lib/core/run/events/events";
import type { TraceSource } from "../_run/follow/trace-source";
import { useTrace } from "../_run/follow/use-trace";
import { RunQuestions } from "../_run/human-input/run-questions";
import { describeNewestEnd, RunAnnouncer } from "../_run/run-announcer";
import { RunFailure } from "../_run/run-failure";
import { RunWarnings } from "../_run/run-warnings";
import { Button } from "../_ui/controls/button";
import { LoadProblem } from "../_ui/controls/load-problem";
import { useNow } from "./hooks/use-environment";
import { Remedy } from "./remedy";
import { RunHeader, type RunInfo } from "./run-header";
import { useViewState } from "./state/view-state";
import { type RunSources, Timeline, type TimelineProps } from "./timeline/timeline";

interface RunViewProps {
  run: RunInfo;
  sources: RunSources & { traces: TraceSource };
  neighbours: TimelineProps["neighbours"];
}

export function RunView({ run, sources, neighbours }: RunViewProps) {
  const { trace, receivedAt, connection, problem, retry } = useTrace(sources.traces);
  const [state, change] = useViewState();
  const { until } = sources.steps;
  const isLive = until === null && trace !== null && !isTerminal(trace.run.status);
  const clock = useNow(isLive, receivedAt);
  const now = until ?? clock;
  const onChange = (next: Parameters<typeof change>[0]): void => void change(next);
  if (!trace) return <LoadingRun run={run} problem={problem} onRetry={retry} />;
  const { id, flowId } = run;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <RunHeader run={run} trace={trace} connection={connection} now={now} previous={neighbours.previous} />
      {until === null && <RunQuestions runId={id} trace={trace} heading="run-heading" />}
      <RunFailure
        trace={trace}
        actions={(action, node) => (
          <>
            {flowId !== null && <Remedy runId={id} flowId={flowId} action={action} />}
            {node !== undefined && (
              <Button size="small" onClick={() => onChange({ node })}>
                Show the step
              </Button>
            )}
          </>
        )}
      />
      <RunWarnings trace={trace} link={{ onSelect: (node) => onChange({ node }) }} />
      <RunAnnouncer newest={describeNewestEnd(trace)} />
      {trace.length === 0 ? (
        <p className="p-4 text-text-muted">{isLive ? "Waiting for the first step …" : "This run has no steps."}</p>
      ) : (
        <Timeline
          run={{ trace, live: isLive, now }}
          state={state}
          onChange={onChange}
          sources={sources}
          neighbours={neighbours}
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
