import { useEffect, useState } from "react";
import { createServerTrace } from "@/app/_run/follow/trace-source";
import { useTrace } from "@/app/_run/follow/use-trace";
import { describeNewestEnd } from "@/app/_run/run-announcer";
import type { Flow } from "@/lib/core/flow/flow";
import { fingerprintAgents } from "@/lib/core/kinds/fingerprint-agent";
import { SpanKeys, toNodeStatuses } from "@/lib/core/trace/model/node-statuses";
import { Trace } from "@/lib/core/trace/model/trace";
import { TraceView } from "@/lib/core/trace/model/trace-view";
import { useSession } from "../../state/session-context";
import { isActive } from "../../state/shown-run";
import { figuresOf } from "./run-summary";

const emptyTrace = new TraceView();

function startTrace(flow: Flow, simulated: boolean): Trace {
  const agents = [...flow.agents.keys()];
  const trace = new Trace({ agents });
  trace.setRun({ simulated, settings: fingerprintAgents(flow, agents) });
  return trace;
}

/** Follows the shown run, whether or not its panel is open: cards, strip and panel display what it loads. */
export default function RunFollower({ runId }: { runId: string }) {
  const { announcer, editor, shownRun, statuses, view } = useSession();
  const [source] = useState(() => {
    // A run that was started in this editor is followed from its first event.
    const { figures } = view.getState();
    const isNew = figures?.status === "INIT";
    return createServerTrace(runId, isNew ? startTrace(editor.store.getState().flow, figures.simulated) : null);
  });
  const { trace: loadedTrace, connection, problem, retry } = useTrace(source);
  const trace = loadedTrace ?? emptyTrace;
  const { status } = trace.run;
  const isLoaded = loadedTrace !== null;
  const isWaiting = trace.questions.size > 0;

  useEffect(() => {
    shownRun.setState({ id: runId, trace: loadedTrace, connection, problem, retry }, true);
  });
  useEffect(() => () => shownRun.setState(null, true), [shownRun]);

  const [keys] = useState(() => new SpanKeys());
  useEffect(
    () => statuses.setState((before) => toNodeStatuses(trace, null, keys, before), true),
    [statuses, trace, keys],
  );
  useEffect(() => () => statuses.setState(new Map(), true), [statuses]);

  const newest = describeNewestEnd(trace);
  useEffect(() => announcer.announceRun(newest), [announcer, newest]);

  // Their status decides what can be started and stopped; the other figures of a run at work are those of its trace.
  useEffect(() => {
    const newestTrace = shownRun.getState()?.trace;
    if (!isLoaded || !newestTrace) return;
    view.setState({ figures: figuresOf(runId, newestTrace, Date.now()) });
    if (!isActive(status)) view.setState({ lastRun: { id: runId, state: null } });
  }, [view, shownRun, runId, status, isLoaded]);
  useEffect(() => {
    if (isWaiting) view.setState(({ runPanel }) => ({ runPanel: runPanel === "closed" ? "open" : runPanel }));
  }, [view, isWaiting]);
  return null;
}
