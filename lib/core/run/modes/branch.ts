import { isTrue } from "../../condition/values";
import type { NodeResult } from "../events/event-recorder";
import type { PlanNodeOf } from "../plan/plan-node";
import type { NodeRun } from "../scope/engine";
import { toFailure, toSuccess } from "../scope/node-result";
import { recordNamedNode } from "../scope/record-node";
import { evaluateAt } from "./condition-at-position";

/** Runs one side only; its output is the output of the branch. */
export const runBranch = (run: NodeRun<PlanNodeOf<"branch">>): Promise<NodeResult> =>
  recordNamedNode(run, async (position, id) => {
    const { input } = run;
    const { ifTrue, ifFalse } = run.planNode;
    const taken = run.engine.options.journal?.find(position.path)?.decision ?? decide(run, id);
    if (typeof taken !== "string") return taken;
    const metadata = { taken };
    const side = taken === "if_true" ? ifTrue : ifFalse;
    return side ? { ...(await run.engine.runNode(side, position, input)), metadata } : toSuccess(input, metadata);
  });

/** The side that the branch takes; or how the branch ends, because that cannot be decided. */
function decide(
  { engine, position, planNode: { name, condition }, input }: NodeRun<PlanNodeOf<"branch">>,
  id: number,
): "if_true" | "if_false" | NodeResult {
  const evaluation = evaluateAt(engine, position, condition, input);
  if (!evaluation.ok)
    return toFailure({ code: "condition", message: `The condition of "${name}" failed: ${evaluation.message}` });
  const taken = isTrue(evaluation.value) ? "if_true" : "if_false";
  engine.recorder.decide(id, taken);
  return taken;
}
