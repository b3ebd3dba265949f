import type { Flow } from "./flow";

/** Names of the agents of a flow, in order of their declarations. */
export interface FlowAgents {
  declared: readonly string[];
  /** Those that the flow contains, directly or through others. */
  placed: readonly string[];
}

/** How many colours there are for agents: the number of an agent, modulo this, is that of its colour. */
export const agentColorCount = 8;

const numbersByAgents = new WeakMap<Flow["agents"], ReadonlyMap<string, number>>();

/** The position of each agent among the declared ones, from 0: what its colour is assigned by, so that a rename keeps it. */
export function numberAgents({ agents }: Pick<Flow, "agents">): ReadonlyMap<string, number> {
  const cached = numbersByAgents.get(agents);
  if (cached) return cached;
  const numbers = new Map(Array.from(agents.keys(), (name, number) => [name, number]));
  numbersByAgents.set(agents, numbers);
  return numbers;
}
