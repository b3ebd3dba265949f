import { z } from "zod";
import { toDelegateNames } from "../../kinds/engine-tools";
import type { NodeResult } from "../events/event-recorder";
import { defineEngineTool } from "../loop/engine-tool";
import { runAgent } from "../loop/run-agent";
import type { PlanNodeOf } from "../plan/plan-node";
import type { NodeRun } from "../scope/engine";

const taskSchema = z.strictObject({
  task: z.string().min(1).describe("What to do, with everything the worker has to know"),
});

/** The lead works with `delegate_to_<worker>(task)`: a worker's answer is the tool's result, its failure a tool error. */
export function runTeam(run: NodeRun<PlanNodeOf<"team">>): Promise<NodeResult> {
  const { engine, position } = run;
  const { lead, workers } = run.planNode;
  const toolNames = toDelegateNames(workers.map(({ name }) => name));
  const engineTools = workers.map(({ name, planNode: worker, description }) =>
    defineEngineTool({
      name: toolNames.get(name) ?? "",
      description: `Gives a task to ${name} and waits for the answer.${description === "" ? "" : ` ${description}`}`,
      input: taskSchema,
      isRecalled: true,
      perform: ({ task }, { parent, pathSuffix, scope }) =>
        engine.runNode(worker, { ...position, parent, pathSuffix, scope, history: [] }, task),
    }),
  );
  return runAgent({ ...run, planNode: lead, engineTools });
}
