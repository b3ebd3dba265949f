import { parseModel } from "../../flow/model-name";
import { keyOfPath } from "../../flow/node-key";
import type { TraceView } from "../model/trace-view";

/** How many of the agents that asked a model got simulated answers. */
export interface SimulatedShare {
  simulated: number;
  agents: number;
}

const isSimulatedModel = (model: string): boolean => parseModel(model).provider === "demo";

const counted = new WeakMap<TraceView, { version: number; share: SimulatedShare }>();

/** Counts agents, and routers, by their own model calls; rounds of the same agent count once. One pass for each version. */
export function countSimulatedAgents(trace: TraceView): SimulatedShare {
  const last = counted.get(trace);
  if (last?.version === trace.version) return last.share;
  const share = countAgents(trace);
  counted.set(trace, { version: trace.version, share });
  return share;
}

function countAgents(trace: TraceView): SimulatedShare {
  const agents = new Set<string>();
  const simulated = new Set<string>();
  for (let span = 0; span < trace.length; span++) {
    if (trace.kindOf(span) !== "llm_call") continue;
    const agent = keyOfPath(trace.pathOf(trace.columns.parent[span] ?? -1));
    agents.add(agent);
    if (trace.isSimulated(span) || isSimulatedModel(trace.nameOf(span))) simulated.add(agent);
  }
  return { simulated: simulated.size, agents: agents.size };
}

/** Whether a run that is marked as simulated asked a real model, too. `models`: those that it asked, `provider:model`. */
export const isPartlySimulated = (models: readonly string[]): boolean =>
  models.some((model) => !isSimulatedModel(model)) && models.some(isSimulatedModel);
