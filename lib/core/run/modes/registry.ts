import type { NodeResult } from "../events/event-recorder";
import { runNodeKinds } from "../events/events";
import { runAgent } from "../loop/run-agent";
import type { PlanNode, PlanNodeType } from "../plan/plan-node";
import { childPath, type NodeRun } from "../scope/engine";
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

/** Runs plan nodes of one type. Children run through `engine.runNode`, so no mode imports another one. */
export interface Mode<Node extends PlanNode = PlanNode> {
  run(run: NodeRun<Node>): Promise<NodeResult>;
}

/** How nodes of each type run: a new type is one file and one line here. */
const builtInModes = {
  serial: { run: runSerial },
  parallel: { run: runParallel },
  handoff: { run: runHandoff },
  team: { run: runTeam },
  orchestrate: { run: runOrchestrate },
  agent: { run: runAgent },
  group: { run: runGroup },
  swarm: { run: runSwarm },
  branch: { run: runBranch },
  router: { run: runRouter },
  loop: { run: runLoop },
  approval: { run: runApproval },
} satisfies { readonly [Type in PlanNodeType]?: Mode<Extract<PlanNode, { type: Type }>> };

const modes = new Map<string, Mode>(Object.entries<Mode>(builtInModes));

/** Adds the mode of a type of plan nodes. Its node extends `PlanNodeFields`. */
export function registerMode(type: PlanNodeType, mode: Mode): void {
  modes.set(type, mode);
}

function withEditedInput(run: NodeRun): NodeRun {
  const { engine, planNode, position } = run;
  const { edits } = engine.options;
  const input = edits && "name" in planNode ? edits.get(childPath(position, planNode.name))?.input : undefined;
  return input === undefined ? run : { ...run, input };
}

const isRunNodeKind = (type: string): boolean => runNodeKinds.some((kind) => kind === type);

/** A node begins once there is room for its events: a group starts no thousands of members before the first is stored. */
export function runNode(run: NodeRun): Promise<NodeResult> {
  return run.engine.recorder.isFull ? beginLater(run) : beginNode(run);
}

async function beginLater(run: NodeRun): Promise<NodeResult> {
  const { recorder } = run.engine;
  while (recorder.isFull && !run.position.scope.stop) await recorder.settled();
  return beginNode(run);
}

/** See `Engine.runNode`. Outputs of named nodes are kept for conditions and instructions that refer to them. */
function beginNode(run: NodeRun): Promise<NodeResult> {
  const { planNode, position, engine } = run;
  if (position.scope.stop) return Promise.resolve(toStopped(position.scope.stop));
  const mode = modes.get(planNode.type);
  if (!mode) throw new Error(`No mode is registered for the type ${planNode.type}.`);
  const ended = mode.run(withEditedInput(run));
  // The output of a RunNode is kept where its end is recorded.
  if (!("name" in planNode) || isRunNodeKind(planNode.type)) return ended;
  return ended.then((result) => {
    if (result.status === "SUCCESS") engine.outputs.set(planNode.name, result.value ?? result.output);
    return result;
  });
}
