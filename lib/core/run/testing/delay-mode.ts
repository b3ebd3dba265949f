import type { Delay } from "../../kinds/testing/delay";
import type { Mode } from "../modes/registry";
import type { DeclarationCompiler } from "../plan/plan-compiler";
import { toSuccess } from "../scope/node-result";

export interface DelayPlanNode {
  type: "delay";
  name: string;
  seconds: number;
}

declare module "../plan/plan-node" {
  interface PlanNodeByType {
    delay: DelayPlanNode;
  }
}

export const delayCompiler: DeclarationCompiler<Delay> = {
  compile: ({ name, seconds }) => ({ type: "delay", name, seconds }),
};

export const delayMode: Mode<DelayPlanNode> = {
  async run({ engine, planNode, input }) {
    await engine.context.sleep(planNode.seconds * 1000, engine.context.signal);
    return toSuccess(input);
  },
};
