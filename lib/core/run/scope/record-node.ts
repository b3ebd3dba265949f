import type { NodeResult, NodeStart } from "../events/event-recorder";
import type { NamedPlanNode } from "../plan/plan-node";
import { childPath, type Engine, type NodeRun, positionInside, type RunPosition } from "./engine";
import { toInternalFailure } from "./node-result";

/**
 * Runs `body` as one RunNode: records its start and, in any case, its end. An exception of it, or of a port, becomes a
 * failed node, so that every node that started is finished.
 */
export async function recordNode<R extends NodeResult>(
  { recorder }: Engine,
  start: NodeStart,
  body: (id: number) => R | Promise<R>,
): Promise<R | NodeResult> {
  const id = recorder.startNode(start);
  let result: R | NodeResult;
  try {
    result = await body(id);
  } catch (error) {
    result = toInternalFailure(error);
  }
  if (result.error && result.error.path === undefined && result.status === "FAILED")
    result = { ...result, error: { ...result.error, path: start.path } };
  recorder.finishNode(id, result);
  return result;
}

/** Runs `body` as the RunNode of a named plan node, with the position inside it and its id. */
export function recordNamedNode(
  { engine, planNode: { type: kind, name }, position, input }: NodeRun<NamedPlanNode>,
  body: (positionInNode: RunPosition, id: number) => Promise<NodeResult>,
): Promise<NodeResult> {
  const path = childPath(position, name);
  return recordNode(engine, { parent: position.parent, path, kind, name, input }, async (id) => {
    // Also unwinds the call stack, so that deep nesting cannot overflow it.
    await engine.recorder.settled();
    return body(positionInside(position, id, path), id);
  });
}
