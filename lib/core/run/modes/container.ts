import type { NodeResult } from "../events/event-recorder";
import type { GroupPlanNode, SwarmPlanNode } from "../plan/plan-node";
import { childPath, type Engine, positionInside, type RunPosition } from "../scope/engine";
import { recordNode } from "../scope/record-node";

type RunContainer = (
  engine: Engine,
  container: GroupPlanNode | SwarmPlanNode,
  position: RunPosition,
  input: string,
) => Promise<NodeResult>;

/** Runs a named group. */
export const runGroup: RunContainer = (engine, group, position, input) =>
  runBody(engine, group, position, input, { order: group.body.type === "parallel" ? "parallel" : "serial" });

/** Runs a nested swarm, without the messages from before the run. */
export const runSwarm: RunContainer = (engine, swarm, position, input) =>
  runBody(engine, swarm, { ...position, history: [] }, input);

function runBody(
  engine: Engine,
  { type: kind, name, body }: GroupPlanNode | SwarmPlanNode,
  position: RunPosition,
  input: string,
  metadata?: NodeResult["metadata"],
): Promise<NodeResult> {
  const path = childPath(position, name);
  return recordNode(engine, { parent: position.parent, path, kind, name, input }, async (id) => {
    // Also unwinds the call stack, so that deep nesting cannot overflow it.
    await engine.recorder.settled();
    const result = await engine.runNode(engine, body, positionInside(position, id, path), input);
    return metadata ? { ...result, metadata } : result;
  });
}
