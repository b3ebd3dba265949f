import { ExternalLink, X } from "lucide-react";
import Link from "next/link";
import { useEffect, useState } from "react";
import { CancelButton } from "@/app/_run/cancel-button";
import { createServerTrace } from "@/app/_run/follow/trace-source";
import { useTrace } from "@/app/_run/follow/use-trace";
import { RunQuestions } from "@/app/_run/human-input/run-questions";
import { describeNewestEnd } from "@/app/_run/run-announcer";
import { RunFailure } from "@/app/_run/run-failure";
import { RunWarnings } from "@/app/_run/run-warnings";
import { SimulatedBadge } from "@/app/_ui/badges/simulated-badge";
import { StatusBadge } from "@/app/_ui/badges/status-badge";
import { WarningBadge } from "@/app/_ui/badges/warning-badge";
import { buttonClass } from "@/app/_ui/controls/button";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { LoadProblem } from "@/app/_ui/controls/load-problem";
import { isTerminal } from "@/lib/core/run/events/events";
import { SpanKeys, toNodeStatuses } from "@/lib/core/trace/model/node-statuses";
import { Trace } from "@/lib/core/trace/model/trace";
import { TraceView } from "@/lib/core/trace/model/trace-view";
import { useSession } from "../../state/session-context";
import { RunAnswers } from "./run-answers";

const emptyTrace = new TraceView();

export default function RunPanel({ runId }: { runId: string }) {
  const { announcer, camera, seed, statuses, view } = useSession();
  // A run that was started in this editor is followed from its first event.
  const [source] = useState(() => createServerTrace(runId, runId === seed.shownRun ? null : new Trace()));
  const { trace: loadedTrace, connection, problem, retry } = useTrace(source);
  const trace = loadedTrace ?? emptyTrace;
  const { status, simulated } = trace.run;
  const isOver = isTerminal(status);

  const [keys] = useState(() => new SpanKeys());
  useEffect(
    () => statuses.setState((before) => toNodeStatuses(trace, null, keys, before), true),
    [statuses, trace, keys],
  );
  const newest = describeNewestEnd(trace);
  useEffect(() => announcer.announceRun(newest), [announcer, newest]);
  useEffect(() => {
    if (isOver) view.setState({ lastRun: { id: runId, state: null } });
  }, [view, runId, isOver]);
  useEffect(() => {
    camera.fit();
    return () => statuses.setState(new Map(), true);
  }, [camera, statuses]);

  return (
    <section aria-label="Run" className="flex h-full min-h-0 flex-col bg-surface">
      <header className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1">
        <h2 id="run-heading" tabIndex={-1} className="font-semibold text-xs">
          Run
        </h2>
        <StatusBadge status={status} />
        <WarningBadge count={trace.warningCount} />
        {simulated && <SimulatedBadge />}
        {connection === "retrying" && <span className="text-warning text-xs">Connection lost, retrying…</span>}
        <div className="ml-auto flex items-center gap-1">
          {!isOver && <CancelButton runId={runId} />}
          <Link href={`/runs/${runId}`} className={buttonClass("ghost", "small")}>
            <ExternalLink size={13} aria-hidden /> Open timeline
          </Link>
          <IconButton label="Close run" onClick={() => view.setState({ run: null })}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      </header>
      {problem !== null && <LoadProblem onRetry={retry}>The run could not be loaded: {problem}</LoadProblem>}
      <RunQuestions runId={runId} trace={trace} heading="run-heading" />
      <RunFailure trace={trace} />
      <RunWarnings trace={trace} link={{ runId }} />
      <RunAnswers runId={runId} trace={trace} />
    </section>
  );
}
