import { isAgentKind, isContainerKind } from "../../run/events/run-node-traits";
import { findSpawnedAgentId } from "../../run/events/spawned-agent-id";
import type { TraceView } from "../model/trace-view";
import { toConcurrentClusters } from "./parallel-steps";

/**
 * The agents whose output is the answer of the run, as spans in order of starting: the one that ran last, or all that ran
 * last at the same time, since their outputs are joined. A lead answers for the agents that it called or spawned. Empty: no
 * agent has run. The depth of the recursion is that of the flow, not the number of its steps.
 */
export const findAnswerSteps = (trace: TraceView): number[] => (trace.length === 0 ? [] : findAuthors(trace, 0));

function findAuthors(trace: TraceView, span: number): number[] {
  if (isAgentKind(trace.kindOf(span))) return [span];
  // An approval, and a branch that no agent is in, pass on what was there before.
  for (const cluster of toConcurrentClusters(trace, listMembers(trace, span)).reverse()) {
    const authors = cluster.flatMap((member) => findAuthors(trace, member));
    if (authors.length > 0) return authors;
  }
  return [];
}

function listMembers(trace: TraceView, span: number): number[] {
  const { firstChild, nextSibling } = trace.columns;
  const members: number[] = [];
  for (let child = firstChild[span] ?? -1; child >= 0; child = nextSibling[child] ?? -1) {
    const kind = trace.kindOf(child);
    const isMember = isAgentKind(kind) || isContainerKind(kind) || kind === "router";
    if (isMember && findSpawnedAgentId(trace.pathOf(child)) === null) members.push(child);
  }
  return members;
}
