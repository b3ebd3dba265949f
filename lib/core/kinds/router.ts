import type { Expression } from "../flow/expression";
import type { NodeDeclaration } from "../flow/flow";

declare module "../flow/flow" {
  interface DeclarationTypes {
    router: Router;
  }
}

/** One of several named lanes, chosen by a model. */
export interface Router extends NodeDeclaration {
  type: "router";
  name: string;
  model?: string;
  instructions: string;
  lanes: ReadonlyMap<string, Lane>;
}

export interface Lane {
  /** When the model should choose it, in plain words. */
  when: string;
  /** Missing: the text passes through. */
  flow?: Expression;
}
