import type { Condition } from "../../condition/condition";
import type { Agent } from "../../kinds/agent";
import type { Approval } from "../../kinds/approval";
import type { Branch } from "../../kinds/branch";
import type { Loop } from "../../kinds/loop";
import type { Router } from "../../kinds/router";
import type { ParseAnswer } from "./answer-schema";

/** The nodes of a plan by their type: a flow with every name resolved. A name that occurs twice is one shared object. */
export interface PlanNodeByType {
  serial: SerialPlanNode;
  parallel: ParallelPlanNode;
  handoff: HandoffPlanNode;
  team: TeamPlanNode;
  orchestrate: OrchestratePlanNode;
  agent: AgentPlanNode;
  group: GroupPlanNode;
  swarm: SwarmPlanNode;
  branch: BranchPlanNode;
  router: RouterPlanNode;
  loop: LoopPlanNode;
  approval: ApprovalPlanNode;
}
export type PlanNodeType = keyof PlanNodeByType;
export type PlanNode = PlanNodeByType[PlanNodeType];

/** Nodes with a name in the flow, and a RunNode of their own. */
export type NamedPlanNode = Extract<PlanNode, { name: string }>;

export interface SerialPlanNode {
  type: "serial";
  members: readonly PlanNode[];
}

export interface ParallelPlanNode {
  type: "parallel";
  members: readonly PlanNode[];
  separator: string;
  keepGoing: boolean;
}

export interface AgentPlanNode {
  type: "agent";
  name: string;
  agent: Agent;
  /** Parses the answer by the agent's `output_schema`; missing: any text is an answer. */
  parseAnswer?: ParseAnswer;
}

export interface GroupPlanNode {
  type: "group";
  name: string;
  body: PlanNode;
}

export interface SwarmPlanNode {
  type: "swarm";
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
  /** By member: the members that it may hand over to. */
  targets: ReadonlyMap<string, readonly string[]>;
  max_handoffs: number | undefined;
  /** As in Orbiter: no tools, only an answer that equals a target's name hands over. */
  byTextOnly: boolean;
}

export interface LeadAndWorkers {
  lead: AgentPlanNode;
  workers: readonly SwarmMember[];
}

export interface TeamPlanNode extends LeadAndWorkers {
  type: "team";
}

export interface OrchestratePlanNode extends LeadAndWorkers {
  type: "orchestrate";
  max_concurrent: number | undefined;
  max_agents: number | undefined;
}

/** A null body returns the input unchanged. */
export interface BranchPlanNode extends Pick<Branch, "type" | "name"> {
  condition: Condition;
  ifTrue: PlanNode | null;
  ifFalse: PlanNode | null;
}

export interface RouterPlanNode extends Pick<Router, "type" | "name"> {
  model: string | undefined;
  instructions: string;
  lanes: readonly { lane: string; when: string; body: PlanNode | null }[];
}

/** Exactly one of `count`, `condition` and `items` is set. */
export interface LoopPlanNode extends Pick<Loop, "type" | "name"> {
  body: PlanNode;
  count?: number;
  condition?: Condition;
  items?: Condition;
  limit: number;
  separator: string;
}

export interface ApprovalPlanNode extends Pick<Approval, "type" | "name" | "message"> {
  timeoutSeconds: number | undefined;
}
