import type { Flow } from "./flow";
import { hashText } from "./hash-text";

/** Names of the agents of a flow, in order of their declarations. */
export interface FlowAgents {
  declared: readonly string[];
  /** Those that the flow contains, directly or through others. */
  placed: readonly string[];
}

/** How many colours there are for agents. */
export const agentColorCount = 8;

/**
 * The number of each agent's colour, from 0. The name decides it; where an earlier agent has that colour, an agent has the next
 * free one, and beyond eight agents the next of the least used. So agents keep their colours when others are added, and nearly
 * all when one is deleted; a rename may change the colour of the agent, and of agents that had to give way to it.
 */
export class AgentNumbers {
  readonly #byName = new Map<string, number>();
  readonly #uses = new Array<number>(agentColorCount).fill(0);

  constructor(names: Iterable<string> = []) {
    for (const name of names) this.add(name);
  }

  /** In the order in which the names were added. */
  get byName(): ReadonlyMap<string, number> {
    return this.#byName;
  }

  /** A known name keeps its number. */
  add(name: string): void {
    if (this.#byName.has(name)) return;
    const minUses = Math.min(...this.#uses);
    let number = hashText(name) % agentColorCount;
    while (this.#uses[number] !== minUses) number = (number + 1) % agentColorCount;
    this.#uses[number] = minUses + 1;
    this.#byName.set(name, number);
  }
}

const numbersByAgents = new WeakMap<Flow["agents"], ReadonlyMap<string, number>>();

/** The number of the colour of each declared agent; see `AgentNumbers`. */
export function numberAgents({ agents }: Pick<Flow, "agents">): ReadonlyMap<string, number> {
  const cached = numbersByAgents.get(agents);
  if (cached) return cached;
  const { byName } = new AgentNumbers(agents.keys());
  numbersByAgents.set(agents, byName);
  return byName;
}
