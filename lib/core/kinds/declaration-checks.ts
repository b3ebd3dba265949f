import type { DeclarationTypes, Flow } from "../flow/flow";
import type { FlowProblem, ProblemCode, Severity } from "../flow/problem";

/** A problem of a declaration, before its owner and its nodes are known. */
export type DeclarationProblem = Omit<FlowProblem, "nodes" | "owner">;

export const createProblem = (
  code: ProblemCode,
  severity: Severity,
  field: string,
  message: string,
): DeclarationProblem => ({ code, severity, field, message });

/** A node that calls a model. */
export interface ModelUse {
  /** In messages, e.g. `Router "desk"`. */
  title: string;
  model?: string | undefined;
  /** The field of the model. */
  field: string;
  written?: Readonly<Record<string, string>> | undefined;
}

/** Checks of one flow against the available models and tools. `lib/core/check` implements them. */
export interface DeclarationChecks {
  readonly flow: Flow;
  /** Whether the model is missing, unknown or not available. */
  model(use: ModelUse): DeclarationProblem[];
  /** Whether a cost limit counts the calls of the model. */
  price(use: ModelUse): DeclarationProblem[];
  /** Everything else about an agent: tools, approvals, template variables, schema and what its model refuses. */
  agent(agent: DeclarationTypes["agent"]): DeclarationProblem[];
}
