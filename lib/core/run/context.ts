import type { ModelPort } from "./model";
import type { PeoplePort } from "./people";
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
  people?: PeoplePort;
  /** Tools that wait for a person in every flow, whatever the flow itself requires. */
  approvalRequired?: ReadonlySet<string>;
  /** Absolute path of the folder that file tools may touch; without it they are off. */
  workspace?: string;
}
