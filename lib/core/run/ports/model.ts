import type { JsonSchema } from "../../flow/flow";
import type { DroppedParameter } from "../events/events";
import type { AssistantMessage, Message } from "../events/messages";
import type { ModelErrorClass } from "../events/run-errors";
import type { Usage } from "../events/usage";
import type { WarningCode } from "../events/warnings";

/** A tool as a model sees it. */
export interface ToolSpec {
  name: string;
  description: string;
  parameters: JsonSchema;
}

/** One model call, provider-neutral. Optional fields are sent only when set. */
export interface ModelRequest {
  /** The declared name of the calling agent; the demo provider derives its role from it. */
  agent: string;
  /** The model without its provider, e.g. `gpt-5.2-mini`. */
  model: string;
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  temperature?: number;
  max_tokens?: number;
  output_schema?: JsonSchema;
  /** Aborting it must end the provider call. */
  signal: AbortSignal;
}

export interface ModelFailure {
  /** Decides whether trying again can help. */
  class: ModelErrorClass;
  /** In plain words, from the provider where it said something. Never holds a key. */
  message: string;
  /** HTTP status, where there was one. */
  status?: number;
  /** What `Retry-After` asked for, in milliseconds. */
  retryAfterMs?: number;
}

/** `length`: an output limit was reached; `other`: the provider ended the answer early for a reason of its own. */
export type FinishReason = "stop" | "tool-calls" | "length" | "content-filter" | "other";

/** Something that a reader of the call should know: a warning (`warnings.ts`), or a deviation of the provider that was corrected. */
export interface ModelNote {
  code: "provider-deviation" | WarningCode;
  message: string;
}

/**
 * What a model yields: `sent` first, then text and reasoning pieces, then exactly one of `done` and `failed`, last.
 * `sent` comes once for each request that goes over the wire: again when a server refused an option and is asked without
 * it, never when nothing went out (cancelled before, no usable address).
 * A model never throws once its stream is being read: it fails inside the stream.
 */
export type ModelEvent =
  /** The exact body that goes over the wire, as JSON text (no headers, no key), and where to. */
  | { type: "sent"; provider: string; url: string; body: string; dropped?: readonly DroppedParameter[] }
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | {
      type: "done";
      message: AssistantMessage;
      finishReason: FinishReason;
      /** The provider's own word for `finishReason`. */
      providerReason?: string;
      /** In order, each kind once. */
      notes?: readonly ModelNote[];
      usage: Usage;
      /** The model's own name for itself, where the provider says it. */
      model?: string;
      /** True when no model was asked (provider `demo`). */
      simulated?: boolean;
      /** What the provider said, as JSON text: its id, its usage as it reported it, its message. */
      response?: string;
      /** The price list that the cost was computed with. */
      price?: PriceList;
    }
  /** `response`: the body that refused, where there was one, without keys. */
  | { type: "failed"; failure: ModelFailure; response?: string };

/** Where prices come from, and of which day (`YYYY-MM-DD`) they are. */
export type PriceList = { source: string; date: string };

/** A provider bound to its connection. */
export interface Model {
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

/** A model that was found. */
export interface ResolvedModel {
  model: Model;
  name: string;
  provider: string;
  /** What so many tokens cost in US dollars. Null, or missing: the price is not known. */
  priceOf?(tokens: { input: number; output: number }): number | null;
  /** Waits until one more call may go out; gives what must be called when it has ended. Missing: at any time. */
  admit?(signal: AbortSignal): Promise<() => void>;
  /** True when the provider may not heed `output_schema`: the schema is said in words, too. */
  schemaByPrompt?: boolean;
}

/** Finds the model for `provider:model`. Null: nobody offers it (a problem before the run, a failed node in it). */
export interface ModelPort {
  find(model: string): ResolvedModel | null;
}

/** Failures after which the same call may succeed. */
export const isTransient = (failure: ModelFailure): boolean =>
  failure.class === "rate-limit" ||
  failure.class === "network" ||
  failure.class === "server" ||
  failure.class === "timeout";
