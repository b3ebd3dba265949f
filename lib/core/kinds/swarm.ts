import type { Expression } from "../flow/expression";
import type { NodeDeclaration } from "../flow/flow";

declare module "../flow/flow" {
  interface DeclarationTypes {
    swarm: Swarm;
  }
}

export const swarmModes = ["workflow", "handoff", "team", "orchestrate"] as const;
export const swarmDefaults = { max_handoffs: 10, max_concurrent: 4, max_agents: 20 } as const;

/** Agents and a mode of working together: the root of a flow, or nested in it. */
export interface Swarm extends NodeDeclaration {
  type: "swarm";
  /** The declared name; the root swarm's is the flow's name. */
  name: string;
  mode: (typeof swarmModes)[number];
  /** workflow: the topology. Missing when its text could not be read, or while `edges` hold a draft. */
  flow?: Expression;
  /** handoff, team, orchestrate: the members; the first starts or leads. */
  agents?: readonly string[];
  /** handoff: the allowed handoffs. workflow: a drawing that no DSL text can express (a draft; it cannot run). */
  edges?: readonly (readonly [string, string])[];
  max_handoffs?: number;
  /** orchestrate: background agents that run at the same time, and in all. */
  max_concurrent?: number;
  max_agents?: number;
  separator: string;
}
