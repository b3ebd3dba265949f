import type { Condition } from "../../condition/condition";
import { evaluateCondition } from "../../condition/evaluate";
import type { Json } from "../../flow/flow";
import type { Engine, RunPosition } from "../scope/engine";

/** The value of an expression at a position of the run. */
export const evaluateAt = (
  { flow, outputs }: Pick<Engine, "flow"> & { outputs: ReadonlyMap<string, Json> },
  { loopRound }: RunPosition,
  condition: Condition,
  input: string,
): ReturnType<typeof evaluateCondition> =>
  evaluateCondition(condition, {
    input,
    outputs,
    vars: flow.vars,
    ...(loopRound?.item !== undefined && { item: loopRound.item }),
    ...(loopRound && { round: loopRound.number }),
  });
