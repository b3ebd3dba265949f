import type { NodeResult } from "../events/event-recorder";
import type { PlanNodeOf } from "../plan/plan-node";
import type { NodeRun } from "../scope/engine";
import { recordNamedNode } from "../scope/record-node";

export const runGroup = (run: NodeRun<PlanNodeOf<"group">>): Promise<NodeResult> =>
  recordNamedNode(run, async (position) => {
    const { body } = run.planNode;
    const metadata = { order: body.type === "parallel" ? "parallel" : "serial" };
    return { ...(await run.engine.runNode(body, position, run.input)), metadata };
  });

/** A nested swarm runs without the messages from before the run. */
export const runSwarm = (run: NodeRun<PlanNodeOf<"swarm">>): Promise<NodeResult> =>
  recordNamedNode(run, (position) => run.engine.runNode(run.planNode.body, { ...position, history: [] }, run.input));
