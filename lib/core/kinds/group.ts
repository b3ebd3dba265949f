import type { Expression } from "../flow/expression";
import type { NodeDeclaration } from "../flow/flow";

declare module "../flow/flow" {
  interface DeclarationTypes {
    group: Group;
  }
}

export const groupModes = ["parallel", "serial"] as const;
export const errorChoices = ["stop", "continue"] as const;

/** Members that run concurrently on the same input, or one after another. */
export interface Group extends NodeDeclaration {
  type: "group";
  name: string;
  mode: (typeof groupModes)[number];
  /** The members, joined as `mode` defines. Missing when the text of the members could not be read. */
  flow?: Expression;
  /** Between the members' outputs, for parallel groups. */
  separator: string;
  /** Parallel groups: what the failure of one member does to the others. Missing: it stops them. */
  on_error?: (typeof errorChoices)[number];
}
