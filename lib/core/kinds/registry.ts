import type { Expression } from "../flow/expression";
import type { Control } from "../flow/flow";

export const controlTypes = ["branch", "router", "loop", "approval"] as const;

/** The lanes of a control, by the name that each has in the flow file and on the canvas. */
export function lanesOf(control: Control): [lane: string, flow: Expression | undefined][] {
  switch (control.type) {
    case "branch":
      return [
        ["if_true", control.if_true],
        ["if_false", control.if_false],
      ];
    case "router":
      return [...control.lanes].map(([lane, { flow }]) => [lane, flow]);
    case "loop":
      return [["body", control.body]];
    case "approval":
      return [];
  }
}
