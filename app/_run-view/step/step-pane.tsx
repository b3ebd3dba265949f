"use client";
import { isTerminal } from "@/lib/core/run/events/events";
import { isAgentKind, isContainerKind } from "@/lib/core/run/events/run-node-traits";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import type { RunSource } from "../../_run/steps/run-source";
import type { LiveAgent } from "./live-answers";
import { StepDetail, type StepSummary } from "./step-detail";

interface StepPaneProps {
  trace: TraceView;
  span: number;
  steps: RunSource;
  now: number;
  onSelect(span: number): void;
}

export function StepPane({ trace, span, steps, now, onSelect }: StepPaneProps) {
  "use no memo"; // A trace changes without its tables changing their identity.
  const step = summaryOf(trace, span);
  const isLive = !isTerminal(step.status);
  const { firstToken } = trace.columns;
  return (
    <StepDetail
      source={steps}
      step={step}
      isRoot={span === 0}
      progress={{
        version: isLive ? (trace.attempts.get(span)?.length ?? 0) + (Number.isNaN(firstToken[span]) ? 0 : 1) : 0,
        answer: isLive && steps.until === null ? (trace.texts.of(span) ?? { text: "", reasoning: "" }) : undefined,
        agents: isLive && isContainerKind(step.kind) ? agentsBelow(trace, span) : [],
      }}
      now={now}
      onSelect={(id) => onSelect(id - 1)}
    />
  );
}

function summaryOf(trace: TraceView, span: number): StepSummary {
  const ended = trace.columns.end[span] ?? Number.NaN;
  return {
    id: span + 1,
    kind: trace.kindOf(span),
    name: trace.nameOf(span),
    path: trace.pathOf(span),
    status: trace.shownStatusOf(span),
    startedAt: trace.columns.start[span] ?? 0,
    endedAt: Number.isNaN(ended) ? undefined : ended,
    simulated: trace.isSimulated(span),
    warnings: trace.warnings.get(span) ?? [],
  };
}

const mostAgents = 40;

function agentsBelow(trace: TraceView, span: number): LiveAgent[] {
  const { parent } = trace.columns;
  const isBelow = (descendant: number): boolean => {
    let above = descendant;
    while (above > span) above = parent[above] ?? -1;
    return above === span;
  };
  const agents: LiveAgent[] = [];
  for (let descendant = trace.length - 1; descendant > span && agents.length < mostAgents; descendant--)
    if (isAgentKind(trace.kindOf(descendant)) && isBelow(descendant))
      agents.push({ ...summaryOf(trace, descendant), text: trace.texts.of(descendant)?.text ?? "" });
  return agents.reverse();
}
