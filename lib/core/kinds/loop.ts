import type { Expression } from "../flow/expression";
import type { NodeDeclaration } from "../flow/flow";

declare module "../flow/flow" {
  interface DeclarationTypes {
    loop: Loop;
  }
}

export const loopLimits = { usual: 100, most: 10_000 } as const;

/** Repeats its body: `count` times, while a condition is true, or for each item of a list. Exactly one of the three. */
export interface Loop extends NodeDeclaration {
  type: "loop";
  name: string;
  body?: Expression;
  count?: number;
  while?: string;
  for_each?: string;
  /** Most rounds, in any case. */
  limit: number;
  /** Between the answers for the items. */
  separator: string;
}
