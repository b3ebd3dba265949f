import type { z } from "zod";
import type { ToolSpec } from "./model";

/** What a tool may use besides its arguments. */
export interface ToolContext {
  signal: AbortSignal;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Absolute path of the only folder that file tools may touch; without it they are off. */
  workspace?: string;
}

/**
 * A function that a model can call. `execute` receives arguments that `input` accepted; its result is sent to the model
 * (text as it is, anything else as JSON); an exception becomes a tool result with an error, never a failed run.
 */
export interface Tool<Input = unknown> {
  spec: ToolSpec;
  input: z.ZodType<Input>;
  execute(input: Input, context: ToolContext): Promise<unknown>;
}

export interface ToolPort {
  find(name: string): Tool | null;
}
