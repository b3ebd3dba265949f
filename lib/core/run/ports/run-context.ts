import type { RunLimits } from "../../flow/flow";
import type { HumanInputPort } from "./human-input";
import type { ModelPort } from "./model";
import type { ToolPort } from "./tool";

/** The ports through which a run reaches the outside. */
export interface RunContext {
  models: ModelPort;
  tools: ToolPort;
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
  /** Tools that need approval in every flow, in addition to those that the flow names. */
  approvalRequired?: ReadonlySet<string>;
  /** Absolute path of the folder that file tools may touch; without it they are off. */
  workspace?: string;
}
