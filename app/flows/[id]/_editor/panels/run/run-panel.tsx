"use client";

import { ExternalLink, X } from "lucide-react";
import Link from "next/link";
import { useEffect } from "react";
import { CancelButton } from "@/app/_run/cancel-button";
import { useRunState } from "@/app/_run/follow/use-run-state";
import { RunQuestions, type WaitingStep } from "@/app/_run/human-input/run-questions";
import { describeNewestEnd } from "@/app/_run/run-announcer";
import { RunWarnings } from "@/app/_run/run-warnings";
import { SimulatedBadge } from "@/app/_ui/badges/simulated-badge";
import { StatusBadge } from "@/app/_ui/badges/status-badge";
import { WarningBadge } from "@/app/_ui/badges/warning-badge";
import { buttonClass } from "@/app/_ui/controls/button";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { isTerminal } from "@/lib/core/run/events/events";
import { listWarnings } from "@/lib/core/run/events/warnings";
import { explainFailure, findFirstFailure } from "@/lib/core/trace/model/failure";
import { toNodeStatuses } from "@/lib/core/trace/model/node-statuses";
import type { RunState } from "@/lib/core/trace/model/run-state";
import { useSession } from "../../state/session-context";
import { RunAnswers } from "./run-answers";

export default function RunPanel({ runId }: { runId: string }) {
  const { announcer, camera, statuses, view } = useSession();
  const { state, connection } = useRunState(runId);

  useEffect(() => statuses.setState((before) => toNodeStatuses(state, before), true), [statuses, state]);
  const newest = describeNewestEnd(state);
  useEffect(() => announcer.announceRun(newest), [announcer, newest]);
  useEffect(() => {
    if (isTerminal(state.status)) view.setState({ lastRun: state });
  }, [view, state]);
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
        <StatusBadge status={state.status} />
        <WarningBadge count={state.warnings} />
        {state.simulated && <SimulatedBadge />}
        {connection === "retrying" && <span className="text-warning text-xs">Connection lost, retrying…</span>}
        <div className="ml-auto flex items-center gap-1">
          {!isTerminal(state.status) && <CancelButton runId={runId} />}
          <Link href={`/runs/${runId}`} className={buttonClass("ghost", "small")}>
            <ExternalLink size={13} aria-hidden /> Open timeline
          </Link>
          <IconButton label="Close run" onClick={() => view.setState({ run: null })}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      </header>
      <RunQuestions runId={runId} waiting={waitingIn(state)} heading="run-heading" />
      <RunFailure state={state} />
      <RunWarnings warnings={listWarnings(state.nodes)} count={state.warnings} link={{ runId }} />
      <RunAnswers state={state} />
    </section>
  );
}

const waitingIn = ({ nodes }: RunState): WaitingStep[] =>
  nodes.flatMap(({ id, name, status, question }) => (status === "WAITING" && question ? [{ id, name, question }] : []));

function RunFailure({ state: { error, nodes } }: { state: RunState }) {
  if (!error) return null;
  const step = findFirstFailure(nodes, error);
  const { word, sentence } = explainFailure(error, step ?? null);
  return (
    <p role="alert" className="shrink-0 border-b border-line bg-danger-soft px-3 py-1.5 text-danger text-xs">
      {step && <b className="font-mono">{step.path}: </b>}
      <b>{word}.</b> {sentence} <span className="text-text-muted">{error.message}</span>
    </p>
  );
}
