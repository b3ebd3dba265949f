import type { Condition } from "../../condition/condition";
import type { Agent } from "../../flow/flow";
import type { ReadAnswer } from "./answer-schema";

/** A topology with every name looked up: what can really run. A name that is used in two places is one shared object. */
export type Stage =
  | NamedStage
  | { type: "serial"; members: readonly Stage[] }
  | { type: "parallel"; members: readonly Stage[]; separator: string; keepGoing: boolean }
  | HandoffStage
  | ({ type: "team" } & LeadStage)
  | OrchestrateStage;

/** What has a name in the flow, and a RunNode of its own. */
export type NamedStage = AgentStage | ContainerStage | BranchStage | RouterStage | LoopStage | ApprovalStage;

export interface AgentStage {
  type: "agent";
  agent: Agent;
  /** Reads the answer by the agent's `output_schema`; missing: any text will do. */
  answer?: ReadAnswer;
}

export interface ContainerStage {
  type: "group" | "swarm";
  name: string;
  body: Stage;
}

/** A member of a swarm that is no workflow. */
export interface Member {
  name: string;
  stage: NamedStage;
  description: string;
}

export interface HandoffStage {
  type: "handoff";
  members: ReadonlyMap<string, Member>;
  start: string;
  /** Whom each member may hand over to. */
  targets: ReadonlyMap<string, readonly string[]>;
  max_handoffs: number | undefined;
  /** Orbiter's way: no tools, only an answer that equals a target's name. */
  byTextOnly: boolean;
}

export interface LeadStage {
  lead: AgentStage;
  workers: readonly Member[];
}

export interface OrchestrateStage extends LeadStage {
  type: "orchestrate";
  max_concurrent: number | undefined;
  max_agents: number | undefined;
}

/** A side that is null lets the text through. */
export interface BranchStage {
  type: "branch";
  name: string;
  condition: Condition;
  ifTrue: Stage | null;
  ifFalse: Stage | null;
}

export interface RouterStage {
  type: "router";
  name: string;
  model: string | undefined;
  instructions: string;
  lanes: readonly { lane: string; when: string; body: Stage | null }[];
}

/** One of `count`, `condition` and `items` is there. */
export interface LoopStage {
  type: "loop";
  name: string;
  body: Stage;
  count?: number;
  condition?: Condition;
  items?: Condition;
  limit: number;
  separator: string;
}

export interface ApprovalStage {
  type: "approval";
  name: string;
  message: string;
  timeoutSeconds: number | undefined;
}

export const nameOf = (stage: NamedStage): string => (stage.type === "agent" ? stage.agent.name : stage.name);
