import { z } from "zod";
import { toDelegateNames } from "../../flow/engine-tools";
import type { StepResult } from "../events/event-recorder";
import { defineInnerTool } from "../loop/agent-tools";
import { runAgent } from "../loop/run-agent";
import type { LeadStage } from "../plan/plan-node";
import { type Engine, type Place, pathOf } from "../scope/engine";
import { runNamed } from "./registry";

const taskSchema = z.strictObject({
  task: z.string().min(1).describe("What to do, with everything the worker has to know"),
});

/** The lead works with `delegate_to_<worker>(task)`; what a worker answers is the tool's result, and its failure a tool error. */
export function runTeam(
  engine: Engine,
  { lead, workers }: LeadStage,
  place: Place,
  input: string,
): Promise<StepResult> {
  const names = toDelegateNames(workers.map(({ name }) => name));
  const innerTools = workers.map(({ name, stage, description }) =>
    defineInnerTool({
      name: names.get(name) ?? "",
      description: `Gives a task to ${name} and waits for the answer.${description === "" ? "" : ` ${description}`}`,
      input: taskSchema,
      perform: ({ task }, { parent, mark, scope }) =>
        runNamed(engine, stage, { ...place, parent, mark, scope, history: [] }, task),
    }),
  );
  return runAgent(engine, place, { stage: lead, path: pathOf(place, lead.agent.name), input, innerTools });
}
