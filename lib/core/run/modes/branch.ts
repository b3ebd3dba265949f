import { isTrue } from "../../condition/values";
import type { NodeResult } from "../events/event-recorder";
import type { BranchPlanNode } from "../plan/plan-node";
import { childPath, type Engine, positionInside, type RunPosition } from "../scope/engine";
import { toFailure, toSuccess } from "../scope/node-result";
import { recordNode } from "../scope/record-node";
import { evaluateAt } from "./condition-at-position";

/** Runs one side only; its output is the output of the branch. */
export function runBranch(
  engine: Engine,
  branch: BranchPlanNode,
  position: RunPosition,
  input: string,
): Promise<NodeResult> {
  const { name } = branch;
  const path = childPath(position, name);
  return recordNode(engine, { parent: position.parent, path, kind: "branch", name, input }, async (id) => {
    await engine.recorder.settled();
    const evaluation = evaluateAt(engine, position, branch.condition, input);
    if (!evaluation.ok)
      return toFailure({ code: "condition", message: `The condition of "${name}" failed: ${evaluation.message}` });
    const isMet = isTrue(evaluation.value);
    const metadata = { taken: isMet ? "if_true" : "if_false" };
    const side = isMet ? branch.ifTrue : branch.ifFalse;
    if (!side) return toSuccess(input, metadata);
    return { ...(await engine.runNode(engine, side, positionInside(position, id, path), input)), metadata };
  });
}
