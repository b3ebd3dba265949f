import type { RunLimits } from "../../flow/flow";
import type { HumanInputPort } from "./human-input";
import type { ModelPort } from "./model";
import type { ToolPort } from "./tool";

/** Everything of the world that a run may touch. */
export interface RunContext {
  models: ModelPort;
  tools: ToolPort;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** In [0, 1): jitter of retry waits. */
  random(): number;
  /** Aborting it cancels the run: provider calls end, the last event says CANCELLED. */
  signal: AbortSignal;
  /** Who answers when a flow asks a person. Missing: nobody can, and the step that asks fails. */
  humanInput?: HumanInputPort;
  /** What no run may exceed, whatever its flow allows. */
  ceilings?: RunLimits;
  /** Model calls of a run at the same time; further ones wait. Missing: as many as the flow makes. */
  concurrentCalls?: number;
  /** Tools that wait for a person in every flow, whatever the flow itself requires. */
  approvalRequired?: ReadonlySet<string>;
  /** Absolute path of the folder that file tools may touch; without it they are off. */
  workspace?: string;
}
