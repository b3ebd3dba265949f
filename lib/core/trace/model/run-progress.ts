import { keyNames, keyOfPath } from "../../flow/node-key";
import { isAgentKind } from "../../run/events/run-node-traits";
import { isTerminal } from "../../run/events/run-status";
import { findFailingStep } from "./find-failure";
import type { TraceView } from "./trace-view";

export interface RunProgress {
  /** Names of agents of which a step succeeded and none is without an answer, in the order of starting. */
  finished: readonly string[];
  /** Names of agents that the flow contains and that have no step; none for a run that goes on or succeeded. */
  notReached: readonly string[];
}

/** How far a run came, by its agents. One pass over its steps. */
export function toRunProgress(trace: TraceView): RunProgress {
  const succeeded = toSuccesses(trace);
  return {
    finished: [...succeeded].flatMap(([name, hasAnswer]) => (hasAnswer ? [name] : [])),
    notReached: listNotReached(trace, succeeded),
  };
}

/** The agents that a run did not reach; see `RunProgress`. */
export function findNotReached(trace: TraceView): readonly string[] {
  return isCutShort(trace) ? listNotReached(trace, toSuccesses(trace)) : [];
}

/** The name of the node at which a retry of a run begins: where it failed, else its first agent without an answer. Null: unknown. */
export function findRetryStart(trace: TraceView): string | null {
  const failing = findFailingStep(trace);
  const failed = failing && keyNames(keyOfPath(failing.path)).at(-1);
  if (failed !== undefined) return failed;
  for (let span = 0; span < trace.length; span++)
    if (isAgentKind(trace.kindOf(span)) && trace.statusOf(span) !== "SUCCESS") return trace.nameOf(span);
  return findNotReached(trace)[0] ?? null;
}

const isCutShort = ({ run: { status } }: TraceView): boolean => isTerminal(status) && status !== "SUCCESS";

const listNotReached = (trace: TraceView, succeeded: ReadonlyMap<string, boolean>): readonly string[] =>
  isCutShort(trace) ? (trace.run.plan ?? []).filter((name) => !succeeded.has(name)) : [];

/** Of each agent with a step: whether one succeeded and none is without an answer. */
function toSuccesses(trace: TraceView): ReadonlyMap<string, boolean> {
  const succeeded = new Map<string, boolean>();
  for (let span = 0; span < trace.length; span++) {
    if (!isAgentKind(trace.kindOf(span))) continue;
    const name = trace.nameOf(span);
    succeeded.set(name, (succeeded.get(name) ?? true) && trace.statusOf(span) === "SUCCESS");
  }
  return succeeded;
}
