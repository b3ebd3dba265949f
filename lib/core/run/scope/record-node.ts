import type { NodeResult, NodeStart } from "../events/event-recorder";
import type { RunNodeKind } from "../events/events";
import { containsNodes, isDeclaredKind } from "../events/run-node-traits";
import type { EndedStep } from "../journal/journal";
import type { NamedPlanNode } from "../plan/plan-node";
import { defaultMaxSteps } from "../ports/run-context";
import { ScopeStop } from "./cancel-scope";
import { childPath, type Engine, type NodeRun, positionInside, type RunPosition } from "./engine";
import { toInternalFailure, toStopped } from "./node-result";
import { stopAtWorkLimit } from "./work-limit";

/**
 * Runs `body` as one RunNode: records its start and, in any case, its end. An exception of it, or of a port, becomes a
 * failed node, so that every node that started is finished.
 */
export const recordNode = <R extends NodeResult>(
  engine: Engine,
  start: NodeStart,
  body: (id: number) => R | Promise<R>,
): Promise<R | NodeResult> => record(engine, start, { body, isOutside: false });

/** Does so for a call to the outside: a pause waits until it has ended. */
export const recordCall = <R extends NodeResult>(
  engine: Engine,
  start: NodeStart,
  body: (id: number) => R | Promise<R>,
): Promise<R | NodeResult> => record(engine, start, { body, isOutside: true });

async function record<R extends NodeResult>(
  engine: Engine,
  start: NodeStart,
  { body, isOutside }: { body: (id: number) => R | Promise<R>; isOutside: boolean },
): Promise<R | NodeResult> {
  const {
    recorder,
    context,
    scope,
    options: { journal, pause },
  } = engine;
  const ended = journal?.recall(start.path, start.kind);
  if (ended) return recallNode(engine, ended, body);
  const step = journal?.find(start.path, start.kind);
  if (pause?.isRequested) {
    const stop = await scope.guard(pause.pass());
    if (stop instanceof ScopeStop) return toStopped(stop);
  }
  if (!step && recorder.stepCount >= (context.maxSteps ?? defaultMaxSteps)) return stopAtStepLimit(engine);
  const workStop = stopAtWorkLimit(engine);
  if (workStop) return toStopped(workStop);
  if (isOutside) pause?.beginWork();
  const id = step?.id ?? recorder.startNode(start);
  if (step) step.isReached = true;
  let result: R | NodeResult;
  try {
    result = await body(id);
  } catch (error) {
    result = toInternalFailure(error);
  }
  if (result.error && result.error.path === undefined && result.status === "FAILED")
    result = { ...result, error: { ...result.error, path: start.path } };
  recorder.finishNode(id, result);
  if (result.status === "SUCCESS" && isDeclaredKind(start.kind))
    engine.outputs.set(start.name, result.value ?? result.output);
  if (isOutside) pause?.endWork();
  return result;
}

function stopAtStepLimit({ scope, context: { maxSteps = defaultMaxSteps } }: Engine): NodeResult {
  const message = `The run reached ${maxSteps} steps, the most that a run may have. Lower the limits of its loops, above all of loops inside loops.`;
  const stop = new ScopeStop("FAILED", { code: "limit", message });
  scope.stopBecause(stop);
  return toStopped(scope.stop ?? stop);
}

/**
 * The result of a node that has ended. What a node that contains others brought about besides (its parsed answer, the
 * conversation of an agent) comes from its children, which have ended, too.
 */
async function recallNode<R extends NodeResult>(
  { outputs, options: { journal } }: Engine,
  { id, kind, name, result }: EndedStep,
  body: (id: number) => R | Promise<R>,
): Promise<R | NodeResult> {
  if (result.status !== "SUCCESS" || !containsNodes(kind) || result.metadata?.edited === true) return result;
  const again = await body(id);
  const { value } = again;
  if (value !== undefined && journal?.setValue(id, name, value) && outputs.get(name) === result.output)
    outputs.set(name, value);
  return { ...again, ...result };
}

/** Runs `body` as the RunNode of a named plan node, with the position inside it and its id. */
export function recordNamedNode(
  { engine, planNode: { type: kind, name }, position, input }: NodeRun<Extract<NamedPlanNode, { type: RunNodeKind }>>,
  body: (positionInNode: RunPosition, id: number) => Promise<NodeResult>,
): Promise<NodeResult> {
  const path = childPath(position, name);
  return recordNode(engine, { parent: position.parent, path, kind, name, input }, async (id) => {
    // Also unwinds the call stack, so that deep nesting cannot overflow it.
    await engine.recorder.settled();
    return body(positionInside(position, id, path), id);
  });
}
