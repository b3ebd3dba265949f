import "server-only";
import type { RawMessageStreamEvent, StopReason } from "@anthropic-ai/sdk/resources/messages";
import type { FinishReason, Model, ModelEvent, ModelRequest } from "@/lib/core/run/ports/model";
import { assertArgumentsLength } from "../call/answer-limits";
import { type CallContext, CallRefused, createModel } from "../call/call";
import { Deviations } from "../call/deviations";
import type { ProviderConnection } from "../connection";
import { countOf, parseJson } from "../json";
import { findPrice, hasListedPrices } from "../pricing/prices";
import { type TokenCounts, toUsage } from "../pricing/usage";
import { toMessagesRequest } from "./anthropic-request";

const ownUrl = "https://api.anthropic.com";

/** Anthropic's models over the official SDK, by the Messages API. The SDK's own retries are off: the engine retries. */
export function createAnthropicModel({ baseUrl = ownUrl, ...connection }: ProviderConnection): Model {
  return createModel("anthropic", connection, (request, way) => streamMessages(request, baseUrl, way));
}

async function* streamMessages(
  request: ModelRequest,
  baseURL: string,
  { apiKey, wire, signal }: CallContext,
): AsyncGenerator<Iterable<ModelEvent>, void> {
  // Loaded with the first call: it takes half a second, and most commands call no model.
  const { default: Anthropic } = await import("@anthropic-ai/sdk");
  const client = new Anthropic({
    apiKey,
    authToken: null,
    baseURL,
    fetch: wire.fetch,
    maxRetries: 0,
    logLevel: "off",
  });
  const stream = await client.messages.create(toMessagesRequest(request), { signal });
  const reader = new MessagesReader((counts, model) =>
    hasListedPrices("anthropic", baseURL) ? findPrice("anthropic", model ?? request.model, counts) : null,
  );
  for await (const event of stream) yield reader.read(event);
  yield [reader.finish()];
}

const finishReasons: Record<StopReason, FinishReason> = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "tool-calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "content-filter",
  pause_turn: "other",
};

interface OpenToolUse {
  id: string;
  name: string;
  /** The whole input, where it came with the block's start. */
  initialInput: unknown;
  arguments: string;
}

interface OpenContentBlock {
  block: StartedBlock;
  text: string;
  signature: string;
}

/** Puts a Messages stream together. */
class MessagesReader {
  readonly #priceOf: (counts: TokenCounts, model: string | undefined) => number | null;
  readonly #toolUses = new Map<number, OpenToolUse>();
  #text = "";
  #model: string | undefined;
  #stopReason: StopReason | null = null;
  #isComplete = false;
  #message: EventOf<"message_start">["message"] | null = null;
  /** As it was reported, the last word of each count. */
  #usage: Partial<StreamUsage> = {};
  /** What came in pieces: thinking with its signature. Texts and tool inputs are kept above. */
  readonly #blocks = new Map<number, OpenContentBlock>();
  /** As Anthropic counts: `input` without what was read from and written to the cache. */
  #counts: TokenCounts = { input: 0, output: 0, cached: 0, cacheWrite: 0, reasoning: 0 };

  constructor(priceOf: (counts: TokenCounts, model: string | undefined) => number | null) {
    this.#priceOf = priceOf;
  }

  read(event: RawMessageStreamEvent): ModelEvent[] {
    switch (event.type) {
      case "message_start":
        this.#model = event.message.model;
        this.#message = event.message;
        this.#count(event.message.usage);
        return [];
      case "content_block_start":
        return this.#startBlock(event.index, event.content_block);
      case "content_block_delta":
        return this.#readDelta(event.index, event.delta);
      case "message_delta":
        this.#stopReason = event.delta.stop_reason ?? this.#stopReason;
        this.#count(event.usage);
        return [];
      case "message_stop":
        this.#isComplete = true;
        return [];
      default:
        return [];
    }
  }

  #startBlock(index: number, block: StartedBlock): ModelEvent[] {
    this.#blocks.set(index, { block, text: "", signature: "" });
    if (block.type === "tool_use")
      this.#toolUses.set(index, { id: block.id, name: block.name, initialInput: block.input, arguments: "" });
    return block.type === "text" ? this.#appendText(block.text) : [];
  }

  #readDelta(index: number, delta: BlockDelta): ModelEvent[] {
    const open = this.#blocks.get(index);
    if (open && delta.type === "text_delta") open.text += delta.text;
    if (open && delta.type === "thinking_delta") open.text += delta.thinking;
    if (open && delta.type === "signature_delta") open.signature += delta.signature;
    if (delta.type === "text_delta") return this.#appendText(delta.text);
    if (delta.type === "thinking_delta" && delta.thinking !== "") return [{ type: "reasoning", text: delta.thinking }];
    const toolUse = this.#toolUses.get(index);
    if (delta.type === "input_json_delta" && toolUse) {
      toolUse.arguments += delta.partial_json;
      assertArgumentsLength(toolUse.arguments.length);
    }
    return [];
  }

  #appendText(text: string): ModelEvent[] {
    this.#text += text;
    return text === "" ? [] : [{ type: "text", text }];
  }

  /** Counts are cumulative; a later one replaces an earlier one, a missing one leaves it. */
  #count(usage: Partial<StreamUsage> | undefined): void {
    const reportedCounts = Object.entries(usage ?? {}).filter(([, count]) => count !== null && count !== undefined);
    this.#usage = { ...this.#usage, ...Object.fromEntries(reportedCounts) };
    const now = this.#counts;
    this.#counts = {
      input: countOf(usage?.input_tokens ?? now.input),
      output: countOf(usage?.output_tokens ?? now.output),
      cached: countOf(usage?.cache_read_input_tokens ?? now.cached),
      cacheWrite: countOf(usage?.cache_creation_input_tokens ?? now.cacheWrite),
      reasoning: countOf(usage?.output_tokens_details?.thinking_tokens ?? now.reasoning),
    };
  }

  /** The last event. @throws CallRefused when the stream stopped before its end. */
  finish(): ModelEvent {
    if (!this.#isComplete && this.#stopReason === null)
      throw new CallRefused({ status: 0, code: "server_error", message: "The answer stopped before its end." });
    const toolCalls = [...this.#toolUses.values()].map(({ id, name, initialInput, arguments: text }) => ({
      id,
      name,
      arguments: text === "" ? JSON.stringify(initialInput ?? {}) : text,
    }));
    const deviations = new Deviations();
    if (this.#stopReason === null) deviations.add("missing-finish-reason");
    const { input, cached, cacheWrite } = this.#counts;
    const counts = { ...this.#counts, input: input + cached + cacheWrite };
    return {
      type: "done",
      message: { role: "assistant", content: this.#text, ...(toolCalls.length > 0 && { toolCalls }) },
      finishReason: this.#stopReason === null ? "stop" : (finishReasons[this.#stopReason] ?? "other"),
      ...(this.#stopReason !== null && { providerReason: this.#stopReason }),
      notes: deviations.toNotes(),
      usage: toUsage(counts, (totalCounts) => this.#priceOf(totalCounts, this.#model)),
      ...(this.#model !== undefined && { model: this.#model }),
      response: JSON.stringify({
        ...this.#message,
        stop_reason: this.#stopReason,
        usage: this.#usage,
        content: [...this.#blocks].map(([index, open]) => this.#toContent(index, open)),
      }),
    };
  }

  /** A block as a message has it that does not stream. */
  #toContent(index: number, { block, text, signature }: OpenContentBlock): object {
    if (block.type === "text") return { ...block, text: block.text + text };
    if (block.type === "thinking") return { ...block, thinking: block.thinking + text, signature };
    const inputText = this.#toolUses.get(index)?.arguments ?? "";
    return inputText === "" ? block : { ...block, input: parseJson(inputText) ?? inputText };
  }
}

type EventOf<T extends RawMessageStreamEvent["type"]> = Extract<RawMessageStreamEvent, { type: T }>;
type StartedBlock = EventOf<"content_block_start">["content_block"];
type BlockDelta = EventOf<"content_block_delta">["delta"];
type StreamUsage = EventOf<"message_delta">["usage"];
