import type { Flow } from "../flow/flow";
import type { NodeKey } from "../flow/keys";
import type { RunContext } from "./context";
import type { RunError } from "./events";
import type { Message } from "./messages";
import type { Recorder, Step, StepResult } from "./recorder";
import type { Scope, Stop } from "./scope";
import { noUsage } from "./usage";

/** What every step of one run shares. */
export interface Engine {
  flow: Flow;
  context: RunContext;
  recorder: Recorder;
}

/** Where a step stands: inside which node, under which key, with which past, stopped by what. */
export interface Place {
  parent: number;
  key: NodeKey;
  /** Messages from before the run, for every agent here. Empty inside a nested swarm. */
  history: readonly Message[];
  scope: Scope;
}

/**
 * Runs `body` as one node: records its start and, whatever happens, its end. A bug in it, or in a port, becomes a failed
 * node instead of an exception, so that every node that started is finished.
 */
export async function runStep<R extends StepResult>(
  { recorder }: Engine,
  step: Step,
  body: (id: number) => Promise<R>,
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

export const toInternalFailure = (error: unknown): StepResult =>
  toFailure({ code: "internal", message: `The engine met an error that it did not expect: ${toText(error)}` });

/** What a thrown value says. */
export const toText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
