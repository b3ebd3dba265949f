import "server-only";
import type { RawMessageStreamEvent, StopReason } from "@anthropic-ai/sdk/resources/messages";
import type { MessagePart, ToolCall } from "@/lib/core/run/events/messages";
import type { FinishReason, ModelRequest } from "@/lib/core/run/ports/model";
import { assertArgumentsLength, type TextEvent } from "../call/answer-limits";
import { type Answer, type AnswerEvents, type CallContext, defineModel } from "../call/call";
import { Deviations } from "../call/deviations";
import { createCutAnswerError } from "../call/failure";
import { toOwnPartsDropped, withoutOwnParts } from "../call/written-parts";
import { countOf, parseJson } from "../json";
import type { TokenCounts } from "../pricing/usage";
import { closeForClaude, toMessagesRequest } from "./anthropic-request";

/** The address of the service itself. */
export const anthropicUrl = "https://api.anthropic.com";

/** Anthropic's models over the official SDK, by the Messages API. The SDK's own retries are off: the engine retries. */
export const createAnthropicModel = defineModel("anthropic", anthropicUrl, {
  perform: streamMessages,
  closeSchema: closeForClaude,
});

/**
 * That a thinking block is not taken back: it was written by another account, or something before it has changed since.
 * https://platform.claude.com/docs/en/build-with-claude/thinking
 */
const refusesThinking = /invalid `?signature`? in `?thinking`? block|thinking` blocks .{0,60}cannot be modified/i;

async function* streamMessages(
  request: ModelRequest,
  { apiKey, baseUrl: baseURL, wire, signal }: CallContext,
): AnswerEvents {
  // Loaded with the first call: it takes half a second, and most commands call no model.
  const { default: Anthropic } = await import("@anthropic-ai/sdk");
  const options = { fetch: wire.fetch, maxRetries: 0, logLevel: "off" } as const;
  const client = new Anthropic({ apiKey, authToken: null, baseURL, ...options });
  const create = (asked: ModelRequest) => client.messages.create(toMessagesRequest(asked), { signal });
  const stream = await create(request).catch((error: unknown) => {
    const { message = "" } = wire.refusal ?? {};
    const plain = refusesThinking.test(message) ? withoutOwnParts(request) : null;
    if (!plain) throw error;
    wire.dropped.push(toOwnPartsDropped({ message }));
    return create(plain);
  });
  const reader = new MessagesReader();
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

/** A block as it started, with what came in pieces: its text, its thinking or the JSON text of its tool input. */
interface OpenContentBlock {
  block: StartedBlock;
  text: string;
  signature: string;
  /** Where its text begins in the answer. */
  start: number;
}

/** Puts a Messages stream together. */
class MessagesReader {
  #text = "";
  #stopReason: StopReason | null = null;
  #isComplete = false;
  #message: EventOf<"message_start">["message"] | null = null;
  /** As it was reported, the last word of each count. */
  #usage: Partial<StreamUsage> = {};
  readonly #blocks = new Map<number, OpenContentBlock>();
  /** As Anthropic counts: `input` without what was read from and written to the cache. */
  #counts: TokenCounts = { input: 0, output: 0, cached: 0, cacheWrite: 0, reasoning: 0 };

  read(event: RawMessageStreamEvent): TextEvent[] {
    switch (event.type) {
      case "message_start":
        this.#message = event.message;
        this.#count(event.message.usage);
        break;
      case "content_block_start":
        return this.#startBlock(event.index, event.content_block);
      case "content_block_delta":
        return this.#readDelta(event.index, event.delta);
      case "message_delta":
        this.#stopReason = event.delta.stop_reason ?? this.#stopReason;
        this.#count(event.usage);
        break;
      case "message_stop":
        this.#isComplete = true;
    }
    return [];
  }

  #startBlock(index: number, block: StartedBlock): TextEvent[] {
    this.#blocks.set(index, { block, text: "", signature: "", start: this.#text.length });
    return block.type === "text" ? this.#appendText(block.text) : [];
  }

  #readDelta(index: number, delta: BlockDelta): TextEvent[] {
    const open = this.#blocks.get(index);
    if (open && delta.type === "text_delta") open.text += delta.text;
    if (open && delta.type === "thinking_delta") open.text += delta.thinking;
    if (open && delta.type === "signature_delta") open.signature += delta.signature;
    if (delta.type === "text_delta") return this.#appendText(delta.text);
    if (delta.type === "thinking_delta" && delta.thinking !== "") return [{ type: "reasoning", text: delta.thinking }];
    if (delta.type === "input_json_delta" && open?.block.type === "tool_use") {
      open.text += delta.partial_json;
      assertArgumentsLength(open.text.length);
    }
    return [];
  }

  #appendText(text: string): TextEvent[] {
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

  /** @throws CallRefused when the stream stopped before its end. */
  finish(): Answer {
    if (!this.#isComplete && this.#stopReason === null) throw createCutAnswerError();
    const blocks = [...this.#blocks.values()];
    const deviations = new Deviations();
    if (this.#stopReason === null) deviations.add("missing-finish-reason");
    const { input, cached, cacheWrite } = this.#counts;
    return {
      type: "answer",
      content: this.#text,
      toolCalls: blocks.flatMap(toToolCalls),
      finishReason: this.#stopReason === null ? "stop" : (finishReasons[this.#stopReason] ?? "other"),
      providerReason: this.#stopReason ?? undefined,
      deviations,
      counts: { ...this.#counts, input: input + cached + cacheWrite },
      model: this.#message?.model,
      parts: blocks.flatMap(toParts),
      response: {
        ...this.#message,
        stop_reason: this.#stopReason,
        usage: this.#usage,
        content: blocks.map(toContent),
      },
    };
  }
}

/** The whole input may have come with the block's start. */
const toToolCalls = ({ block, text }: OpenContentBlock): ToolCall[] =>
  block.type === "tool_use"
    ? [{ id: block.id, name: block.name, arguments: text === "" ? JSON.stringify(block.input ?? {}) : text }]
    : [];

/** Thinking goes back with its signature, which is checked. */
function toParts(open: OpenContentBlock): MessagePart[] {
  const { block, text, start } = open;
  if (block.type === "tool_use") return [{ type: "call" }];
  if (block.type === "text") return [{ type: "text", start, length: block.text.length + text.length }];
  if (block.type === "redacted_thinking") return [{ type: "own", value: { type: block.type, data: block.data } }];
  if (block.type !== "thinking") return [];
  const [thinking, signature] = [block.thinking + text, (block.signature ?? "") + open.signature];
  return signature === "" ? [] : [{ type: "own", value: { type: block.type, thinking, signature } }];
}

/** A block as a message has it that does not stream. */
function toContent({ block, text, signature }: OpenContentBlock): object {
  if (block.type === "text") return { ...block, text: block.text + text };
  if (block.type === "thinking") return { ...block, thinking: block.thinking + text, signature };
  return block.type === "tool_use" && text !== "" ? { ...block, input: parseJson(text) ?? text } : block;
}

type EventOf<T extends RawMessageStreamEvent["type"]> = Extract<RawMessageStreamEvent, { type: T }>;
type StartedBlock = EventOf<"content_block_start">["content_block"];
type BlockDelta = EventOf<"content_block_delta">["delta"];
type StreamUsage = EventOf<"message_delta">["usage"];
