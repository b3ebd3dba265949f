import { isAgentKind } from "../../run/events/run-node-traits";
import { kindNumber, type TraceView } from "./trace-view";

const callKind = kindNumber("llm_call");

/** The model call before this one of the same agent: in the same visit, else in its last visit that made one; -1: none. */
export function findPreviousCall(trace: TraceView, call: number): number {
  const { parent, kind, name, firstChild, nextSibling } = trace.columns;
  const findLastBelow = (visit: number): number => {
    let last = -1;
    for (let span = firstChild[visit] ?? -1; span >= 0 && span < call; span = nextSibling[span] ?? -1)
      if (kind[span] === callKind) last = span;
    return last;
  };
  const agent = parent[call] ?? -1;
  if (agent < 0 || kind[call] !== callKind) return -1;
  let previousCall = findLastBelow(agent);
  if (!isAgentKind(trace.kindOf(agent))) return previousCall;
  for (let visit = agent - 1; visit >= 0 && previousCall < 0; visit--)
    if (name[visit] === name[agent] && isAgentKind(trace.kindOf(visit))) previousCall = findLastBelow(visit);
  return previousCall;
}
