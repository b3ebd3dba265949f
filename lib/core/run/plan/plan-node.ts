import type { Condition } from "../../condition/condition";
import type { Agent } from "../../kinds/agent";
import type { ParseAnswer } from "./answer-schema";

/** A topology with every name looked up: what can really run. A name that is used in two places is one shared object. */
export type PlanNode =
  | NamedPlanNode
  | { type: "serial"; members: readonly PlanNode[] }
  | { type: "parallel"; members: readonly PlanNode[]; separator: string; keepGoing: boolean }
  | HandoffPlanNode
  | ({ type: "team" } & LeadAndWorkers)
  | OrchestratePlanNode;

/** What has a name in the flow, and a RunNode of its own. */
export type NamedPlanNode =
  | AgentPlanNode
  | ContainerPlanNode
  | BranchPlanNode
  | RouterPlanNode
  | LoopPlanNode
  | ApprovalPlanNode;

export interface AgentPlanNode {
  type: "agent";
  agent: Agent;
  /** Reads the answer by the agent's `output_schema`; missing: any text will do. */
  parseAnswer?: ParseAnswer;
}

export interface ContainerPlanNode {
  type: "group" | "swarm";
  name: string;
  body: PlanNode;
}

/** A member of a swarm that is no workflow. */
export interface SwarmMember {
  name: string;
  planNode: NamedPlanNode;
  description: string;
}

export interface HandoffPlanNode {
  type: "handoff";
  members: ReadonlyMap<string, SwarmMember>;
  start: string;
  /** Whom each member may hand over to. */
  targets: ReadonlyMap<string, readonly string[]>;
  max_handoffs: number | undefined;
  /** Orbiter's way: no tools, only an answer that equals a target's name. */
  byTextOnly: boolean;
}

export interface LeadAndWorkers {
  lead: AgentPlanNode;
  workers: readonly SwarmMember[];
}

export interface OrchestratePlanNode extends LeadAndWorkers {
  type: "orchestrate";
  max_concurrent: number | undefined;
  max_agents: number | undefined;
}

/** A side that is null lets the text through. */
export interface BranchPlanNode {
  type: "branch";
  name: string;
  condition: Condition;
  ifTrue: PlanNode | null;
  ifFalse: PlanNode | null;
}

export interface RouterPlanNode {
  type: "router";
  name: string;
  model: string | undefined;
  instructions: string;
  lanes: readonly { lane: string; when: string; body: PlanNode | null }[];
}

/** One of `count`, `condition` and `items` is there. */
export interface LoopPlanNode {
  type: "loop";
  name: string;
  body: PlanNode;
  count?: number;
  condition?: Condition;
  items?: Condition;
  limit: number;
  separator: string;
}

export interface ApprovalPlanNode {
  type: "approval";
  name: string;
  message: string;
  timeoutSeconds: number | undefined;
}

export const nameOfPlanNode = (stage: NamedPlanNode): string =>
  stage.type === "agent" ? stage.agent.name : stage.name;
