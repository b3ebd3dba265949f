import type { Flow, Json } from "../../flow/flow";
import { nodeKey } from "../../flow/node-key";
import type { Recorder, Step, StepResult } from "../events/event-recorder";
import type { RunError } from "../events/events";
import type { Message } from "../events/messages";
import { noUsage } from "../events/usage";
import type { RunContext } from "../ports/run-context";
import type { RunOptions } from "../ports/run-options";
import type { Budget } from "./budget";
import type { Estimator } from "./call-estimator";
import type { Scope, Stop } from "./scope";

/** What every step of one run shares. */
export interface Engine {
  flow: Flow;
  context: RunContext;
  options: RunOptions;
  recorder: Recorder;
  budget: Budget;
  estimator: Estimator;
  /** Of the whole run. */
  scope: Scope;
  /** What has finished, by declared name; of several runs of one name the last. */
  outputs: Map<string, Json>;
}

/** Where a step stands: inside which node, below which path, with which past, stopped by what. */
export interface Place {
  parent: number;
  /** Path of the part round it; the root's is empty. */
  path: string;
  /** Behind the name of the next step: tells apart what runs more than once. */
  mark?: string | undefined;
  /** Messages from before the run, for every agent here. Empty inside a nested swarm. */
  history: readonly Message[];
  scope: Scope;
  /** Inside a loop: what the round is about. */
  round?: { number: number; item?: Json };
}

/** The path of what is called `name` here. */
export const pathOf = ({ path, mark = "" }: Place, name: string): string => nodeKey(path, name) + mark;

/** The place inside the node `id` of that path. */
export const inside = (place: Place, id: number, path: string): Place => ({
  ...place,
  parent: id,
  path,
  mark: undefined,
});

/**
 * Runs `body` as one node: records its start and, whatever happens, its end. A bug in it, or in a port, becomes a failed
 * node instead of an exception, so that every node that started is finished.
 */
export async function runStep<R extends StepResult>(
  { recorder }: Engine,
  step: Step,
  body: (id: number) => R | Promise<R>,
): Promise<R | StepResult> {
  const id = recorder.startNode(step);
  let result: R | StepResult;
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
export const toSuccess = (output: string, metadata?: StepResult["metadata"]): StepResult => ({
  status: "SUCCESS",
  output,
  usage: noUsage,
  simulated: false,
  ...(metadata && { metadata }),
});

/** A failure with nothing to keep. */
export const toFailure = (error: RunError): StepResult => ({
  status: "FAILED",
  output: "",
  usage: noUsage,
  simulated: false,
  error,
});

/** The end of something that was stopped, with nothing to keep. */
export const toStopped = ({ status, error }: Stop): StepResult => ({
  status,
  output: "",
  usage: noUsage,
  simulated: false,
  error,
});

/** How something ends whose member ended badly. A time limit of the member alone is a failure above it. */
export const toOwnEnd = ({ scope }: Place, { status, error }: StepResult): Pick<StepResult, "status" | "error"> => ({
  status: scope.stop || status === "SUCCESS" ? status : "FAILED",
  ...(error && { error }),
});

export const toInternalFailure = (error: unknown): StepResult =>
  toFailure({ code: "internal", message: `The engine met an error that it did not expect: ${toText(error)}` });

/** What a thrown value says. */
export const toText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
