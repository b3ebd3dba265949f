import { isAgentKind } from "../../run/events/run-node-traits";
import { isTerminal } from "../../run/events/run-status";
import type { TraceView } from "./trace-view";

export interface RunProgress {
  /** Names of agents of which a step succeeded and none is without an answer, in the order of starting. */
  finished: readonly string[];
  /** Names of agents that the flow contains and that have no step; none for a run that goes on or succeeded. */
  notReached: readonly string[];
}

/** How far a run came, by its agents. One pass over its steps. */
export function toRunProgress(trace: TraceView): RunProgress {
  const succeeded = new Map<string, boolean>();
  for (let span = 0; span < trace.length; span++) {
    if (!isAgentKind(trace.kindOf(span))) continue;
    const name = trace.nameOf(span);
    succeeded.set(name, (succeeded.get(name) ?? true) && trace.statusOf(span) === "SUCCESS");
  }
  const { status, plan = [] } = trace.run;
  const isShort = isTerminal(status) && status !== "SUCCESS";
  return {
    finished: [...succeeded].flatMap(([name, hasAnswer]) => (hasAnswer ? [name] : [])),
    notReached: isShort ? plan.filter((name) => !succeeded.has(name)) : [],
  };
}
