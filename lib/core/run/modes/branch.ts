import { isTrue } from "../../condition/values";
import type { NodeResult } from "../events/event-recorder";
import type { PlanNodeOf } from "../plan/plan-node";
import type { NodeRun } from "../scope/engine";
import { toFailure, toSuccess } from "../scope/node-result";
import { recordNamedNode } from "../scope/record-node";
import { evaluateAt } from "./condition-at-position";

/** Runs one side only; its output is the output of the branch. */
export const runBranch = (run: NodeRun<PlanNodeOf<"branch">>): Promise<NodeResult> =>
  recordNamedNode(run, async (position) => {
    const { engine, input } = run;
    const { name, condition, ifTrue, ifFalse } = run.planNode;
    const evaluation = evaluateAt(engine, run.position, condition, input);
    if (!evaluation.ok)
      return toFailure({ code: "condition", message: `The condition of "${name}" failed: ${evaluation.message}` });
    const isMet = isTrue(evaluation.value);
    const metadata = { taken: isMet ? "if_true" : "if_false" };
    const side = isMet ? ifTrue : ifFalse;
    return side ? { ...(await engine.runNode(side, position, input)), metadata } : toSuccess(input, metadata);
  });
