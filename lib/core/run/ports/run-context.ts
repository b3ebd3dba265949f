import type { RunLimits } from "../../flow/flow";
import type { AnswerPort } from "./answers";
import type { HumanInputPort } from "./human-input";
import type { ModelPort } from "./model";
import type { ToolPort } from "./tool";

/** So many steps no useful run has: nested loops that call no model would otherwise go on for ever at no cost. */
export const defaultMaxSteps = 250_000;

/** The ports through which a run reaches the outside. */
export interface RunContext {
  models: ModelPort;
  tools: ToolPort;
  /** Reads answers by a schema. Missing: the run's own thread does. */
  answers?: AnswerPort;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** In [0, 1): jitter of retry waits. */
  random(): number;
  /** Aborting it cancels the run: provider calls end, and the run finishes as CANCELLED. */
  signal: AbortSignal;
  /** Answers requests for human input. Missing: a node that needs it fails. */
  humanInput?: HumanInputPort;
  /** Limits that a flow can lower but not raise. */
  ceilings?: RunLimits;
  /** Maximum of concurrent model calls of a run; further ones wait. Missing: no limit. */
  concurrentCalls?: number;
  /** Maximum of steps (RunNodes) of a run, across all processes that drive it; missing: `defaultMaxSteps`. */
  maxSteps?: number;
  /**
   * For how many seconds a run may work, across all processes that drive it: waiting for a person, for its turn or while
   * paused does not count. Missing: no limit.
   */
  maxWorkSeconds?: number;
  /** Tools that need approval in every flow, in addition to those that the flow names. */
  approvalRequired?: ReadonlySet<string>;
  /** Absolute path of the folder that file tools may touch; without it they are off. */
  workspace?: string;
}
