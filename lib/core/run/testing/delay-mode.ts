import type { Delay } from "../../kinds/testing/delay";
import type { Mode } from "../modes/registry";
import type { DeclarationCompiler } from "../plan/plan-compiler";
import type { PlanNodeOf } from "../plan/plan-node";
import { toSuccess } from "../scope/node-result";

declare module "../plan/plan-node" {
  interface PlanNodeFields {
    delay: { name: string; seconds: number };
  }
}

export const delayCompiler: DeclarationCompiler<Delay> = {
  compile: ({ name, seconds }) => ({ type: "delay", name, seconds }),
};

export const delayMode: Mode<PlanNodeOf<"delay">> = {
  async run({ engine, planNode, input }) {
    await engine.context.sleep(planNode.seconds * 1000, engine.context.signal);
    return toSuccess(input);
  },
};
