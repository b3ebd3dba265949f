import type { NodeResult } from "../events/event-recorder";
import { runAgent } from "../loop/run-agent";
import type { PlanNode, PlanNodeByType, PlanNodeType } from "../plan/plan-node";
import { childPath, type Engine, type RunPosition } from "../scope/engine";
import { toStopped } from "../scope/node-result";
import { runApproval } from "./approval";
import { runBranch } from "./branch";
import { runGroup, runSwarm } from "./container";
import { runHandoff } from "./handoff";
import { runLoop } from "./loop";
import { runOrchestrate } from "./orchestrate";
import { runParallel } from "./parallel";
import { runRouter } from "./router";
import { runSerial } from "./serial";
import { runTeam } from "./team";

/** A node of each type with that type as its discriminant, so that runner and node match by type. */
type TypedPlanNode<Type extends PlanNodeType> = { [T in Type]: { type: T } & PlanNodeByType[T] }[Type];

/** Runs nodes of one type. Children run through `engine.runNode`, so no mode imports another one. */
type RunMode<Type extends PlanNodeType> = (
  engine: Engine,
  planNode: TypedPlanNode<Type>,
  position: RunPosition,
  input: string,
) => Promise<NodeResult>;

/** How nodes of each type run: a new type is one file and one line here. */
export const modes: { [Type in PlanNodeType]: RunMode<Type> } = {
  serial: runSerial,
  parallel: runParallel,
  handoff: runHandoff,
  team: runTeam,
  orchestrate: runOrchestrate,
  agent: (engine, planNode, position, input) =>
    runAgent(engine, position, { planNode, path: childPath(position, planNode.name), input }),
  group: runGroup,
  swarm: runSwarm,
  branch: runBranch,
  router: runRouter,
  loop: runLoop,
  approval: runApproval,
};

const runMode = <Type extends PlanNodeType>(
  engine: Engine,
  planNode: TypedPlanNode<Type>,
  position: RunPosition,
  input: string,
): Promise<NodeResult> => modes[planNode.type](engine, planNode, position, input);

/** See `Engine.runNode`. Outputs of named nodes are kept for conditions and instructions that refer to them. */
export function runNode(engine: Engine, planNode: PlanNode, position: RunPosition, input: string): Promise<NodeResult> {
  if (position.scope.stop) return Promise.resolve(toStopped(position.scope.stop));
  const ended = runMode(engine, planNode, position, input);
  return "name" in planNode ? ended.then((result) => keepOutput(engine, planNode.name, result)) : ended;
}

function keepOutput({ outputs }: Engine, name: string, result: NodeResult): NodeResult {
  if (result.status === "SUCCESS") outputs.set(name, result.value ?? result.output);
  return result;
}
