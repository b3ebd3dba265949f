import type { Condition } from "../../condition/condition";
import type { Expression } from "../../flow/expression";
import type { Declaration, Flow } from "../../flow/flow";
import type { NamedPlanNode, PlanNode } from "./plan-node";

/** Why a flow cannot run. `resolveFlow` returns it as an error. */
export class InvalidFlowError extends Error {}

export interface TopologyOptions {
  separator: string;
  keepGoing: boolean;
  /** As in Orbiter: the members run one after another, in topological order. */
  isChain?: boolean;
}

/** What the compilers of declarations may use. Every method throws InvalidFlowError. */
export interface PlanCompiler {
  readonly flow: Flow;
  /** The plan node of a declared name. Members are compiled before the declarations that contain them. */
  member(name: string): NamedPlanNode;
  /** The topology of a group or swarm, in which every name occurs once. */
  topology(flow: Expression | undefined, title: string, options: TopologyOptions): PlanNode;
  /** The topology of a control's lane; null: the lane returns its input unchanged. */
  lane(flow: Expression | undefined): PlanNode | null;
  condition(text: string, title: string): Condition;
}

/** Compiles declarations of one type. `title` is how messages call the declaration, e.g. `loop "refine"`. */
export interface DeclarationCompiler<Node extends Declaration = Declaration> {
  compile(declaration: Node, title: string, compiler: PlanCompiler): NamedPlanNode;
}
