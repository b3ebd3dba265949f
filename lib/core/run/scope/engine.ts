import type { Flow, Json } from "../../flow/flow";
import { nodeKey } from "../../flow/node-key";
import type { EventRecorder, NodeResult, NodeStart } from "../events/event-recorder";
import type { RunError } from "../events/events";
import type { Message } from "../events/messages";
import { noUsage } from "../events/usage";
import type { RunContext } from "../ports/run-context";
import type { RunOptions } from "../ports/run-options";
import type { Budget } from "./budget";
import type { CallEstimator } from "./call-estimator";
import type { CancelScope, ScopeStop } from "./scope";

/** What every step of one run shares. */
export interface Engine {
  flow: Flow;
  context: RunContext;
  options: RunOptions;
  recorder: EventRecorder;
  budget: Budget;
  estimator: CallEstimator;
  /** Of the whole run. */
  scope: CancelScope;
  /** What has finished, by declared name; of several runs of one name the last. */
  outputs: Map<string, Json>;
}

/** Where a step stands: inside which node, below which path, with which past, stopped by what. */
export interface RunPosition {
  parent: number;
  /** Path of the part round it; the root's is empty. */
  path: string;
  /** Behind the name of the next step: tells apart what runs more than once. */
  pathSuffix?: string | undefined;
  /** Messages from before the run, for every agent here. Empty inside a nested swarm. */
  history: readonly Message[];
  scope: CancelScope;
  /** Inside a loop: what the round is about. */
  loopRound?: { number: number; item?: Json };
}

/** The path of what is called `name` here. */
export const childPath = ({ path, pathSuffix: mark = "" }: RunPosition, name: string): string =>
  nodeKey(path, name) + mark;

/** The place inside the node `id` of that path. */
export const positionInside = (place: RunPosition, id: number, path: string): RunPosition => ({
  ...place,
  parent: id,
  path,
  pathSuffix: undefined,
});

/**
 * Runs `body` as one node: records its start and, whatever happens, its end. A bug in it, or in a port, becomes a failed
 * node instead of an exception, so that every node that started is finished.
 */
export async function recordNode<R extends NodeResult>(
  { recorder }: Engine,
  step: NodeStart,
  body: (id: number) => R | Promise<R>,
): Promise<R | NodeResult> {
  const id = recorder.startNode(step);
  let result: R | NodeResult;
  try {
    result = await body(id);
  } catch (error) {
    result = toInternalFailure(error);
  }
  if (result.error && result.error.path === undefined && result.status === "FAILED")
    result = { ...result, error: { ...result.error, path: step.path } };
  recorder.finishNode(id, result);
  return result;
}

/** A success that used nothing. */
export const toSuccess = (output: string, metadata?: NodeResult["metadata"]): NodeResult => ({
  status: "SUCCESS",
  output,
  usage: noUsage,
  simulated: false,
  ...(metadata && { metadata }),
});

/** A failure with nothing to keep. */
export const toFailure = (error: RunError): NodeResult => ({
  status: "FAILED",
  output: "",
  usage: noUsage,
  simulated: false,
  error,
});

/** The end of something that was stopped, with nothing to keep. */
export const toStopped = ({ status, error }: ScopeStop): NodeResult => ({
  status,
  output: "",
  usage: noUsage,
  simulated: false,
  error,
});

/** How something ends whose member ended badly. A time limit of the member alone is a failure above it. */
export const toParentOutcome = (
  { scope }: RunPosition,
  { status, error }: NodeResult,
): Pick<NodeResult, "status" | "error"> => ({
  status: scope.stop || status === "SUCCESS" ? status : "FAILED",
  ...(error && { error }),
});

export const toInternalFailure = (error: unknown): NodeResult =>
  toFailure({ code: "internal", message: `The engine met an error that it did not expect: ${toErrorMessage(error)}` });

/** What a thrown value says. */
export const toErrorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
