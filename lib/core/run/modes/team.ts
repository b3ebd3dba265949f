import { z } from "zod";
import { toDelegateNames } from "../../flow/engine-tools";
import type { NodeResult } from "../events/event-recorder";
import { defineEngineTool } from "../loop/agent-tools";
import { runAgent } from "../loop/run-agent";
import type { LeadAndWorkers } from "../plan/plan-node";
import { childPath, type Engine, type RunPosition } from "../scope/engine";
import { runNamed } from "./registry";

const taskSchema = z.strictObject({
  task: z.string().min(1).describe("What to do, with everything the worker has to know"),
});

/** The lead works with `delegate_to_<worker>(task)`; what a worker answers is the tool's result, and its failure a tool error. */
export function runTeam(
  engine: Engine,
  { lead, workers }: LeadAndWorkers,
  place: RunPosition,
  input: string,
): Promise<NodeResult> {
  const names = toDelegateNames(workers.map(({ name }) => name));
  const innerTools = workers.map(({ name, planNode: stage, description }) =>
    defineEngineTool({
      name: names.get(name) ?? "",
      description: `Gives a task to ${name} and waits for the answer.${description === "" ? "" : ` ${description}`}`,
      input: taskSchema,
      perform: ({ task }, { parent, pathSuffix: mark, scope }) =>
        runNamed(engine, stage, { ...place, parent, pathSuffix: mark, scope, history: [] }, task),
    }),
  );
  return runAgent(engine, place, {
    planNode: lead,
    path: childPath(place, lead.agent.name),
    input,
    engineTools: innerTools,
  });
}
