import type { Condition } from "../../condition/condition";
import type { Agent } from "../../kinds/agent";
import type { Approval } from "../../kinds/approval";
import type { Loop } from "../../kinds/loop";
import type { Router } from "../../kinds/router";
import type { ParsedAnswer } from "../ports/answers";

/**
 * The nodes of a plan by their type: a flow with every name resolved. A name that occurs twice is one shared object. A body
 * of null returns the input unchanged. Nodes with a name have a RunNode of their own.
 */
export interface PlanNodeFields {
  serial: { members: readonly PlanNode[] };
  parallel: { members: readonly PlanNode[]; separator: string; keepGoing: boolean };
  handoff: {
    members: ReadonlyMap<string, SwarmMember>;
    start: string;
    /** By member: the members that it may hand over to. */
    targets: ReadonlyMap<string, readonly string[]>;
    max_handoffs: number | undefined;
    /** As in Orbiter: no tools, only an answer that equals a target's name hands over. */
    byTextOnly: boolean;
  };
  team: LeadAndWorkers;
  orchestrate: LeadAndWorkers & { max_concurrent: number | undefined; max_agents: number | undefined };
  /** `parseAnswer` parses the answer by the agent's `output_schema`; missing: any text is an answer. */
  agent: { name: string; agent: Agent; parseAnswer?: (text: string) => Promise<ParsedAnswer> };
  group: { name: string; body: PlanNode };
  swarm: { name: string; body: PlanNode };
  branch: { name: string; condition: Condition; ifTrue: PlanNode | null; ifFalse: PlanNode | null };
  router: Pick<Router, "name" | "model" | "instructions"> & {
    lanes: readonly { lane: string; when: string; body: PlanNode | null }[];
  };
  /** Exactly one of `count`, `condition` and `items` is set. */
  loop: Pick<Loop, "name" | "count" | "limit" | "separator"> & {
    body: PlanNode;
    condition?: Condition;
    items?: Condition;
  };
  approval: Omit<Approval, "type">;
}
export type PlanNodeType = keyof PlanNodeFields;
export type PlanNodeOf<Type extends PlanNodeType> = { type: Type } & PlanNodeFields[Type];
export type PlanNode = { [Type in PlanNodeType]: PlanNodeOf<Type> }[PlanNodeType];

/** Nodes with a name in the flow. */
export type NamedPlanNode = Extract<PlanNode, { name: string }>;

/** A member of a swarm that is no workflow. */
export interface SwarmMember {
  name: string;
  planNode: NamedPlanNode;
  description: string;
}

export interface LeadAndWorkers {
  lead: PlanNodeOf<"agent">;
  workers: readonly SwarmMember[];
}
