import { keyOfPath, type NodeKey } from "../../flow/node-key";
import type { RunNodeKind } from "../../run/events/events";
import { isAgentKind } from "../../run/events/run-node-traits";
import type { Usage } from "../../run/events/usage";
import { findFailingStep } from "../model/find-failure";
import type { TraceView } from "../model/trace-view";

/** An agent or router of a run with what it used itself: the agents that it called are steps of their own. */
export interface AgentStep {
  span: number;
  key: NodeKey;
  /** 1 for the first time that its node runs, and how often the node has run so far. */
  round: number;
  rounds: number;
  /** Model calls that have started. */
  calls: number;
  /** Of its own model calls. Over all steps these add up to the usage of the run. */
  usage: Usage;
}

/** The steps that call models, in the order in which they started. Linear in the length of the trace. */
export function listAgentSteps(trace: TraceView): AgentStep[] {
  const steps: AgentStep[] = [];
  const rounds = new Map<NodeKey, number>();
  for (let span = 0; span < trace.length; span++) {
    if (!isStepKind(trace.kindOf(span))) continue;
    const key = keyOfPath(trace.pathOf(span));
    const round = (rounds.get(key) ?? 0) + 1;
    rounds.set(key, round);
    const calls = childrenOf(trace, span, "llm_call").length;
    steps.push({ span, key, round, rounds: round, calls, usage: trace.ownUsageOf(span) });
  }
  return steps.map((step) => ({ ...step, rounds: rounds.get(step.key) ?? 1 }));
}

/** The step in which a failed run began to fail; undefined: it failed outside of these steps, or has not failed. */
export function findFailingAgentStep(trace: TraceView, steps: readonly AgentStep[]): AgentStep | undefined {
  const failing = findFailingStep(trace);
  if (!failing) return undefined;
  const stepOf = new Map(steps.map((step) => [step.span, step]));
  let span = failing.id - 1;
  while (span >= 0 && !stepOf.has(span)) span = trace.columns.parent[span] ?? -1;
  return stepOf.get(span);
}

/** The steps that a live view displays: those that are running, and those that wait or are paused after they have written. */
export const listLiveSteps = (trace: TraceView, steps: readonly AgentStep[]): AgentStep[] =>
  steps.filter(({ span }) => trace.shownStatusOf(span) === "RUNNING" || (trace.isOpen(span) && hasText(trace, span)));

const hasText = (trace: TraceView, span: number): boolean => (trace.texts.of(span)?.text ?? "") !== "";

/** The tool calls of a step itself, in the order in which they started. */
export const listToolCalls = (trace: TraceView, step: number): number[] => childrenOf(trace, step, "tool_call");

const isStepKind = (kind: RunNodeKind): boolean => isAgentKind(kind) || kind === "router";

function childrenOf(trace: TraceView, step: number, kind: RunNodeKind): number[] {
  const { firstChild, nextSibling } = trace.columns;
  const children: number[] = [];
  for (let child = firstChild[step] ?? -1; child >= 0; child = nextSibling[child] ?? -1)
    if (trace.kindOf(child) === kind) children.push(child);
  return children;
}

/** A bar of a small waterfall: from and to as fractions of the run's time so far, in a lane from 0. */
export interface WaterfallBar {
  span: number;
  start: number;
  end: number;
  lane: number;
}

/**
 * The steps as bars: each in the first lane that is free by then, at most `mostLanes`; later ones are left out.
 * `now`: milliseconds since the epoch.
 */
export function layOutBars(trace: TraceView, steps: readonly AgentStep[], now: number, mostLanes: number) {
  const { startedAt = now, endedAt = now } = trace.run;
  const duration = Math.max(1, endedAt - startedAt);
  const toFraction = (time: number): number => Math.min(1, Math.max(0, (time - startedAt) / duration));
  const laneEnds: number[] = [];
  const bars: WaterfallBar[] = [];
  for (const { span } of steps) {
    const start = trace.columns.start[span] ?? startedAt;
    const end = trace.endOf(span, endedAt);
    const free = laneEnds.findIndex((laneEnd) => laneEnd <= start);
    const lane = free < 0 ? laneEnds.length : free;
    if (lane >= mostLanes) continue;
    laneEnds[lane] = end;
    bars.push({ span, start: toFraction(start), end: toFraction(end), lane });
  }
  return { bars, lanes: Math.max(1, laneEnds.length) };
}
