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
  /**
   * The same when the call is sent again because its answer was lost: its process or its connection ended. A call that was
   * answered with an error has another one when it is repeated, as a provider may answer the same again.
   */
  idempotencyKey?: string;
  /** Aborting it must end the provider call. */
  signal: AbortSignal;
}

export interface ModelFailure {
  /** Decides whether trying again can help. */
  class: ModelErrorClass;
  /** In plain words; the provider's own message where it sent one. Never contains a key. */
  message: string;
  /** HTTP status, where there was one. */
  status?: number;
  /** The wait that `Retry-After` requested, in milliseconds. */
  retryAfterMs?: number;
  /** No connection was made, so that nothing was sent. */
  isUnsent?: true;
}

/** `length`: an output limit was reached; `other`: the provider ended the answer early for a reason of its own. */
export type FinishReason = "stop" | "tool-calls" | "length" | "content-filter" | "other";

/** A remark on the call: a warning (`warnings.ts`), or a deviation of the provider that was corrected. */
export interface ModelNote {
  code: "provider-deviation" | WarningCode;
  message: string;
}

/**
 * What a model yields: `sent` first, then chunks of text and reasoning, then exactly one of `done` and `failed`.
 * `sent` comes once for each request that goes over the wire: again when a server refused an option and gets the request
 * without it, never when nothing was sent (cancelled before, no usable address).
 * A model never throws once its stream is being read: it fails inside the stream.
 */
export type ModelEvent =
  /** The exact body that goes over the wire, as JSON text (no headers, no key), and its URL. */
  | { type: "sent"; provider: string; url: string; body: string; dropped?: readonly DroppedParameter[] }
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | {
      type: "done";
      message: AssistantMessage;
      finishReason: FinishReason;
      /** `finishReason` as the provider calls it. */
      providerReason?: string;
      /** In order, each code once. */
      notes?: readonly ModelNote[];
      usage: Usage;
      /** The exact model name that the provider reports. */
      model?: string;
      /** True when no model was called (provider `demo`). */
      simulated?: boolean;
      /** The provider's response as JSON text: its id, its usage as reported, its message. */
      response?: string;
      /** The price list that the cost was computed with. */
      price?: PriceList;
    }
  /** `response`: the body of the error response, if any, without keys. */
  | { type: "failed"; failure: ModelFailure; response?: string };

export type ModelEventOf<Type extends ModelEvent["type"]> = Extract<ModelEvent, { type: Type }>;

/** The source of prices, and their date (`YYYY-MM-DD`). */
export type PriceList = { source: string; date: string };

/** A provider bound to its connection. */
export interface Model {
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

/** A model with its provider, ready to be called. */
export interface ResolvedModel {
  model: Model;
  name: string;
  provider: string;
  /** The cost of tokens in US dollars. Null, or missing: the price is unknown. */
  priceOf?(tokens: { input: number; output: number }): number | null;
  /** Waits until one more call may start; resolves with a function to call when it has ended. Missing: calls never wait. */
  admit?(signal: AbortSignal): Promise<() => void>;
  /** True when the provider may ignore `output_schema`: the schema is then added to the instructions. */
  schemaByPrompt?: boolean;
}

/** Finds the model for `provider:model`. Null: no provider has it (a problem before the run, a failed node in it). */
export interface ModelPort {
  find(model: string): ResolvedModel | null;
}

/** Failures after which the same call may succeed. */
export const isTransient = ({ class: errorClass }: ModelFailure): boolean => transientClasses.has(errorClass);

const transientClasses: ReadonlySet<ModelErrorClass> = new Set(["rate-limit", "network", "server", "timeout"]);
