import type { FlowAgents } from "../../flow/agent-numbers";
import { toSpanChanges, toSpanRow } from "../model/span-facts";
import { Trace } from "../model/trace";
import { applyChanges } from "../model/trace-batch";
import type { RunFile } from "./run-file";

/**
 * The steps of a run file as a trace. Agents that had not ended have the text of their last model call. `agents`: those of its flow. */
export function toTrace({ run, nodes }: RunFile, agents?: FlowAgents): Trace {
  const trace = new Trace({ agents: agents?.declared ?? [] });
  for (const node of nodes) {
    applyChanges(trace, toSpanChanges(toSpanRow(node)));
    const { id, parent, kind, firstTokenAt, output, reasoning } = node;
    if (kind === "llm_call" && firstTokenAt !== undefined && parent !== undefined && trace.isOpen(parent - 1))
      trace.texts.append(id - 1, parent - 1, { text: output.text, reasoning });
  }
  const { status, flowName: flow, simulated, startedAt, endedAt, error } = run;
  trace.setRun({
    status,
    flow,
    simulated,
    ...(agents && { plan: agents.placed }),
    ...(startedAt !== null && { startedAt }),
    ...(endedAt !== null && { endedAt }),
    ...(error && { error }),
  });
  return trace;
}

/** The last moment that a run file tells of, in milliseconds since the epoch: how far a run that had not ended had come. */
export function lastMomentOf({ run, nodes }: RunFile): number {
  let last = Math.max(run.createdAt, run.startedAt ?? 0, run.endedAt ?? 0);
  for (const { startedAt, firstTokenAt = 0, endedAt = 0, attempts, notes = [], question, answer } of nodes) {
    last = Math.max(last, startedAt, firstTokenAt, endedAt, question?.at ?? 0, answer?.at ?? 0);
    for (const event of [...attempts, ...notes]) last = Math.max(last, event.at);
  }
  return last;
}
