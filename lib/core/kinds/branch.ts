import type { Expression } from "../flow/expression";
import type { NodeDeclaration } from "../flow/flow";

declare module "../flow/flow" {
  interface DeclarationTypes {
    branch: Branch;
  }
}

/** One of two lanes, by a condition (lib/core/condition). A missing lane passes the text through. */
export interface Branch extends NodeDeclaration {
  type: "branch";
  name: string;
  condition: string;
  if_true?: Expression;
  if_false?: Expression;
}
