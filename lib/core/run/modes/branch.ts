import type { Condition } from "../../condition/condition";
import { evaluateCondition } from "../../condition/evaluate";
import { isTrue } from "../../condition/values";
import type { Json } from "../../flow/flow";
import type { NodeResult } from "../events/event-recorder";
import type { BranchPlanNode } from "../plan/plan-node";
import {
  childPath,
  type Engine,
  positionInside,
  type RunPosition,
  recordNode,
  toFailure,
  toSuccess,
} from "../scope/engine";
import { runNode } from "./registry";

/** Runs one side only; the flow goes on behind the branch with what that side gives. */
export function runBranch(
  engine: Engine,
  stage: BranchPlanNode,
  place: RunPosition,
  input: string,
): Promise<NodeResult> {
  const { name } = stage;
  const path = childPath(place, name);
  return recordNode(engine, { parent: place.parent, path, kind: "branch", name, input }, async (id) => {
    await engine.recorder.settled();
    const found = evaluate(engine, place, stage.condition, input);
    if (!found.ok)
      return toFailure({ code: "condition", message: `The condition of "${name}" failed: ${found.message}` });
    const isMet = isTrue(found.value);
    const metadata = { taken: isMet ? "if_true" : "if_false" };
    const side = isMet ? stage.ifTrue : stage.ifFalse;
    if (!side) return toSuccess(input, metadata);
    return { ...(await runNode(engine, side, positionInside(place, id, path), input)), metadata };
  });
}

/** The value of an expression at this place of the run. */
export const evaluate = (
  { flow, outputs }: Engine,
  { loopRound: round }: RunPosition,
  condition: Condition,
  input: string,
): ReturnType<typeof evaluateCondition> => {
  const item: Json | undefined = round?.item;
  return evaluateCondition(condition, {
    input,
    outputs,
    vars: flow.vars,
    ...(item !== undefined && { item }),
    ...(round && { round: round.number }),
  });
};
