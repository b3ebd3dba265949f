import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import type { MessagePart, ToolCall } from "@/lib/core/run/events/messages";
import type { FinishReason } from "@/lib/core/run/ports/model";
import type { TextEvent } from "../call/answer-limits";
import type { Answer } from "../call/call";
import { Deviations } from "../call/deviations";
import { CallRefused, createCutAnswerError, toServerError } from "../call/failure";
import { describeError, toBodyRefusal } from "../call/refusal";
import { countOf, isObject, type JsonObject, textOf } from "../json";
import type { TokenCounts } from "../pricing/usage";
import type { TextCalls } from "../text-calls/text-calls";
import { ThinkTags } from "../text-calls/think-tags";
import { CallCollector, isCutOff } from "./chat-calls";
import { ChatReasoning, readContent } from "./chat-reasoning";
import { toChatToolCall } from "./chat-request";

interface ChatReaderOptions {
  /** Accept an end without a `finish_reason`, and refuse a tool call that is cut off. For servers that differ. */
  tolerant: boolean;
  /** Reads tool calls from the text of the answer; null: text stays text. */
  textCalls: TextCalls | null;
}

/** Thinking that ends on a line of its own, and begins nowhere. */
const unopenedThoughts = /^(?:(?!<think>)[\s\S])*?\n<\/think>[ \t]*(?:\n\s*|$)/;

/** By the words of OpenAI and of the servers that speak its language, in lower case. */
const finishReasons = new Map<string, FinishReason>([
  ["stop", "stop"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["stop_sequence", "stop"],
  ["end_turn", "stop"],
  ["complete", "stop"],
  ["tool_calls", "tool-calls"],
  ["function_call", "tool-calls"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_length", "length"],
  ["content_filter", "content-filter"],
  ["safety", "content-filter"],
  ["recitation", "content-filter"],
  ["sensitive", "content-filter"],
]);

/** Reads the chunks of a Chat Completions stream, or a whole answer in place of one. */
export class ChatReader {
  readonly #calls: CallCollector;
  readonly #think: ThinkTags | null;
  #text = "";
  #usage: JsonObject | null = null;
  #finish: string | undefined;
  #model: string | undefined;
  /** The received content, before thinking is separated from the answer. */
  #content = "";
  readonly #reasoning = new ChatReasoning();
  /** The first chunk, and the whole answer where it came at once. */
  #first: JsonObject | null = null;
  #whole: JsonObject | null = null;
  /** Whether there was an answer, and whether the model refused to give one. */
  #hasChoice = false;
  #isRefused = false;
  /** The message of a chunk without choices. */
  #message: string | undefined;
  /** The stream was marked as complete. */
  isComplete = false;
  readonly deviations = new Deviations();

  /** `turn` keeps made-up tool call ids apart from those of earlier turns. */
  constructor(
    turn: number,
    private readonly options: ChatReaderOptions,
  ) {
    this.#calls = new CallCollector(`call_${turn}`, this.deviations);
    this.#think = options.tolerant ? new ThinkTags() : null;
  }

  /** The text and reasoning in one chunk. @throws CallRefused when the chunk is an error. */
  read(chunk: Json): TextEvent[] {
    if (!isObject(chunk)) return [];
    const refusal = toBodyRefusal(chunk);
    if (refusal) throw new CallRefused(refusal);
    this.#first ??= chunk;
    this.#model ??= textOf(chunk.model);
    if (isObject(chunk.usage)) this.#usage = chunk.usage;
    const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (!isObject(choice)) {
      this.#message ??= describeError(chunk).message;
      return [];
    }
    this.#hasChoice = true;
    this.#finish = textOf(choice.finish_reason) ?? this.#finish;
    if (isObject(choice.message)) this.#whole = chunk;
    const delta = [choice.delta, choice.message].find(isObject);
    return delta ? this.#readDelta(delta, delta === choice.message) : [];
  }

  #readDelta(delta: JsonObject, isWhole: boolean): TextEvent[] {
    this.#calls.add(delta.tool_calls, isWhole);
    const thought = this.#reasoning.read(delta);
    const content = readContent(delta.content) ?? textOf(delta.refusal);
    this.#isRefused ||= textOf(delta.refusal) !== undefined;
    this.#content += content ?? "";
    const pieces = content === undefined ? [] : (this.#think?.read(content) ?? [{ type: "text", text: content }]);
    const answer = this.#withoutCalls(pieces);
    return this.#keep(thought === "" ? answer : [{ type: "reasoning", text: thought }, ...answer]);
  }

  /** The pieces without what may be a tool call. */
  #withoutCalls(pieces: TextEvent[]): TextEvent[] {
    const { textCalls } = this.options;
    if (!textCalls) return pieces;
    return pieces
      .map(({ type, text }): TextEvent => ({ type, text: type === "text" ? textCalls.read(text) : text }))
      .filter(({ text }) => text !== "");
  }

  #keep(pieces: TextEvent[]): TextEvent[] {
    for (const { type, text } of pieces) if (type === "text") this.#text += text;
    return pieces;
  }

  /** The remaining events at the end of the stream; the last one is the answer. @throws CallRefused for a cut answer, or none. */
  finish(): (TextEvent | Answer)[] {
    const native = this.#calls.finish();
    const thoughts = this.#withoutCalls(this.#think?.finish() ?? []);
    const { calls: written, text } = this.options.textCalls?.finish(native.length > 0) ?? { calls: [], text: "" };
    const lastEvents = this.#keep(text === "" ? thoughts : [...thoughts, { type: "text", text }]);
    if (written.length > 0) this.deviations.add("call-in-text");
    this.#dropUnopenedThoughts();
    const calls = written.length > 0 ? written.map((call, i) => ({ id: this.#calls.makeId(i), ...call })) : native;
    this.#refuseIncomplete(calls);
    this.#noteFinish({ isCalling: calls.length > 0, isNative: native.length > 0 });
    return [
      ...lastEvents,
      {
        type: "answer",
        content: this.#text,
        toolCalls: calls,
        finishReason: this.#finishReason(calls.length > 0),
        providerReason: this.#finish !== undefined && this.#isRefused ? "refusal" : this.#finish,
        deviations: this.deviations,
        counts: this.#usage && readCounts(this.#usage),
        parts: this.#toParts(calls.length),
        model: this.#model,
        response: this.#whole ?? this.#assemble(native),
      },
    ];
  }

  /** Some templates open the thinking in the prompt, so that only its end comes. What was shown before is taken back. */
  #dropUnopenedThoughts(): void {
    const end = this.#think ? unopenedThoughts.exec(this.#text) : null;
    if (!end) return;
    this.deviations.add("unopened-thinking");
    this.#text = this.#text.slice(end[0].length);
  }

  #toParts(callCount: number): MessagePart[] {
    const fields = this.#reasoning.toFields();
    return [
      ...(fields ? [{ type: "own" as const, value: fields }] : []),
      { type: "text", start: 0, length: this.#text.length },
      ...Array.from({ length: callCount }, () => ({ type: "call" as const })),
    ];
  }

  #refuseIncomplete(calls: readonly ToolCall[]): void {
    const isWhole = this.#finish !== undefined || (this.options.tolerant && this.isComplete);
    if (!isWhole) throw createCutAnswerError();
    if (!this.#hasChoice)
      throw toServerError(`The server ended without an answer: it sent no choices. ${this.#message ?? ""}`.trim());
    if (!this.options.tolerant || !calls.some((call) => isCutOff(call.arguments))) return;
    if (this.#announced() !== "length") throw toServerError("The server cut a tool call off in the middle.");
    const message = "The answer was cut at its token limit in the middle of a tool call. Raise max_tokens.";
    throw new CallRefused({ status: 0, code: "invalid_request", message });
  }

  /** Notes where the `finish_reason` does not fit the answer. */
  #noteFinish({ isCalling, isNative }: { isCalling: boolean; isNative: boolean }): void {
    const announced = this.#announced();
    if (this.#finish === undefined) this.deviations.add("missing-finish-reason");
    else if (isNative && (announced === "stop" || announced === "other")) this.deviations.add("calls-unannounced");
    else if (!isCalling && announced === "tool-calls") this.deviations.add("calls-missing");
  }

  /** The answer as a server that does not stream would send it; short fields come first. */
  #assemble(calls: readonly ToolCall[]): JsonObject {
    const { choices: _, usage: __, ...head } = this.#first ?? {};
    const message = {
      role: "assistant",
      ...(calls.length > 0 && { tool_calls: calls.map(toChatToolCall) }),
      content: this.#content,
      ...this.#reasoning.toFields(),
    };
    return {
      ...head,
      object: "chat.completion",
      usage: this.#usage,
      choices: [{ index: 0, finish_reason: this.#finish ?? null, message }],
    };
  }

  #announced(): FinishReason {
    return finishReasons.get((this.#finish ?? "stop").toLowerCase()) ?? "other";
  }

  /** Calls count, whatever the reported reason: some servers send `stop` with calls. */
  #finishReason(hasCalls: boolean): FinishReason {
    const announced = this.#announced();
    if (announced === "length" || announced === "content-filter") return announced;
    if (hasCalls) return "tool-calls";
    if (this.#isRefused) return "content-filter";
    return announced === "tool-calls" ? "stop" : announced;
  }
}

function readCounts(usage: JsonObject): TokenCounts | null {
  if (typeof usage.prompt_tokens !== "number" && typeof usage.completion_tokens !== "number") return null;
  const input = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const output = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  return {
    input: countOf(usage.prompt_tokens),
    output: countOf(usage.completion_tokens),
    cached: countOf(input.cached_tokens),
    cacheWrite: countOf(input.cache_write_tokens),
    reasoning: countOf(output.reasoning_tokens),
  };
}
