import type { z } from "zod";
import type { ToolSpec } from "./model";

/** What a tool may use besides its arguments. */
export interface ToolContext {
  signal: AbortSignal;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Absolute path of the only folder that file tools may touch; without it they are off. */
  workspace?: string;
  /** The only hosts that a tool asks which reaches any; missing or null: every public one. */
  httpHosts?: readonly string[] | null;
  /** The same for every attempt of one call, different for all others. */
  idempotencyKey: string;
}

/**
 * A function that a model can call. `execute` receives arguments that `input` accepted, and gives its result at once or as a
 * promise; the result is sent to the model (text as it is, anything else as JSON); an exception becomes a tool result with an
 * error, never a failed run.
 */
export interface Tool<Input = unknown> {
  spec: ToolSpec;
  input: z.ZodType<Input>;
  /**
   * False: this call done twice does more than done once. If it was under way when its server stopped, it waits for a
   * person instead of being done again. Missing: it may be done again.
   */
  isIdempotent?(input: Input): boolean;
  /** It changes something outside of its run, or sends something out. Missing: it only reads or computes. */
  acts?: true;
  execute(input: Input, context: ToolContext): unknown;
}

export interface ToolPort {
  find(name: string): Tool | null;
}
