import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import type { ToolCall } from "@/lib/core/run/messages";
import type { FinishReason, ModelEvent } from "@/lib/core/run/model";
import { CallRefused } from "./call";
import { CallCollector, isCutOff } from "./chat-calls";
import { countOf, isObject, type JsonObject, textOf } from "./json";
import { describeError } from "./refusal";
import { type Piece, ThinkTags } from "./think-tags";
import { type Counts, toUsage } from "./usage";

interface ReaderOptions {
  /** Keeps made-up tool call ids apart from those of earlier turns. */
  turn: number;
  /** Characters of the request, for an estimate where the server counts no tokens. */
  sentLength: number;
  priceOf(counts: Counts, model: string | undefined): number | null;
  /** Accept an end without a `finish_reason`, and refuse a tool call that is cut off. For servers that differ. */
  tolerant: boolean;
}

const finishReasons = new Map<string, FinishReason>([
  ["stop", "stop"],
  ["eos", "stop"],
  ["tool_calls", "tool-calls"],
  ["function_call", "tool-calls"],
  ["length", "length"],
  ["content_filter", "content-filter"],
]);

/** Reads the chunks of a Chat Completions stream, or a whole answer in place of one. */
export class ChatReader {
  readonly #options: ReaderOptions;
  readonly #calls: CallCollector;
  readonly #think: ThinkTags | null;
  #text = "";
  #reasoning = "";
  #usage: JsonObject | null = null;
  #finish: string | undefined;
  #model: string | undefined;
  /** What was said, before thinking is told apart from the answer. */
  readonly #said = { content: "", reasoning: "" };
  /** The first chunk, and the whole answer where it came at once. */
  #first: JsonObject | null = null;
  #whole: JsonObject | null = null;
  /** The stream said that it is complete. */
  isComplete = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#calls = new CallCollector(`call_${options.turn}`);
    this.#think = options.tolerant ? new ThinkTags() : null;
  }

  /** The text and reasoning in one chunk. @throws CallRefused when the chunk is an error. */
  read(chunk: Json): ModelEvent[] {
    if (!isObject(chunk)) return [];
    if (isError(chunk)) throw new CallRefused(toStreamRefusal(chunk));
    this.#first ??= chunk;
    this.#model ??= textOf(chunk.model);
    if (isObject(chunk.usage)) this.#usage = chunk.usage;
    const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (!isObject(choice)) return [];
    this.#finish = textOf(choice.finish_reason) ?? this.#finish;
    if (isObject(choice.message)) this.#whole = chunk;
    const delta = [choice.delta, choice.message].find(isObject);
    return delta ? this.#readDelta(delta) : [];
  }

  #readDelta(delta: JsonObject): ModelEvent[] {
    this.#calls.add(delta.tool_calls);
    const thought = textOf(delta.reasoning_content) ?? textOf(delta.reasoning);
    const said = textOf(delta.content) ?? textOf(delta.refusal);
    this.#said.content += said ?? "";
    this.#said.reasoning += thought ?? "";
    const pieces = said === undefined ? [] : (this.#think?.read(said) ?? [{ type: "text", text: said }]);
    return this.#keep(thought === undefined ? pieces : [{ type: "reasoning", text: thought }, ...pieces]);
  }

  #keep(pieces: Piece[]): Piece[] {
    for (const { type, text } of pieces) {
      if (type === "text") this.#text += text;
      else this.#reasoning += text;
    }
    return pieces;
  }

  /** What is left to say at the end of the stream; the last event is `done`. @throws CallRefused for a cut answer. */
  finish(): ModelEvent[] {
    const rest = this.#keep(this.#think?.finish() ?? []);
    const calls = this.#calls.finish();
    const isEmpty = this.#text === "" && this.#reasoning === "" && calls.length === 0;
    const isWhole = this.#finish !== undefined || (this.#options.tolerant && this.isComplete && !isEmpty);
    if (!isWhole)
      throw new CallRefused({ status: 0, code: "server_error", message: "The answer stopped before its end." });
    if (this.#options.tolerant && calls.some((call) => isCutOff(call.arguments)))
      throw new CallRefused(this.#cutCall());
    return [
      ...rest,
      {
        type: "done",
        message: { role: "assistant", content: this.#text, ...(calls.length > 0 && { toolCalls: calls }) },
        finishReason: this.#finishReason(calls.length > 0),
        usage: this.#countUsage(JSON.stringify(calls).length),
        ...(this.#model !== undefined && { model: this.#model }),
        response: JSON.stringify(this.#whole ?? this.#assemble(calls)),
      },
    ];
  }

  /** The answer as a server says it that does not stream; what is short stands first. */
  #assemble(calls: readonly ToolCall[]): JsonObject {
    const { choices: _, usage: __, ...head } = this.#first ?? {};
    const { content, reasoning } = this.#said;
    const message = {
      role: "assistant",
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, name, arguments: text }) => ({
          id,
          type: "function",
          function: { name, arguments: text },
        })),
      }),
      content,
      ...(reasoning !== "" && { reasoning_content: reasoning }),
    };
    return {
      ...head,
      object: "chat.completion",
      usage: this.#usage,
      choices: [{ index: 0, finish_reason: this.#finish ?? null, message }],
    };
  }

  #cutCall() {
    return this.#finish === "length"
      ? {
          status: 0,
          code: "invalid_request",
          message: "The answer was cut at its token limit in the middle of a tool call. Raise max_tokens.",
        }
      : { status: 0, code: "server_error", message: "The server cut a tool call off in the middle." };
  }

  /** Calls count, whatever the server says: some say `stop` with calls. */
  #finishReason(hasCalls: boolean): FinishReason {
    if (this.#finish === "length" || this.#finish === "content_filter")
      return finishReasons.get(this.#finish) ?? "other";
    if (hasCalls) return "tool-calls";
    const said = finishReasons.get(this.#finish ?? "stop") ?? "other";
    return said === "tool-calls" ? "stop" : said;
  }

  #countUsage(callsLength: number) {
    const { sentLength, priceOf } = this.#options;
    const answered = this.#text.length + this.#reasoning.length + callsLength;
    const counts = this.#usage && readCounts(this.#usage);
    return toUsage(counts ?? { sentLength, answeredLength: answered }, (known) => priceOf(known, this.#model));
  }
}

const isError = (chunk: JsonObject): boolean =>
  (chunk.error !== undefined && chunk.error !== null) || chunk.object === "error";

function toStreamRefusal(chunk: JsonObject) {
  const { message = "The server reported an error without a reason.", code = "" } = describeError(chunk);
  const inner = isObject(chunk.error) ? chunk.error.code : chunk.code;
  return { status: typeof inner === "number" && inner >= 400 && inner < 600 ? inner : 0, message, code };
}

function readCounts(usage: JsonObject): Counts | null {
  if (typeof usage.prompt_tokens !== "number" && typeof usage.completion_tokens !== "number") return null;
  const input = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const output = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  return {
    input: countOf(usage.prompt_tokens),
    output: countOf(usage.completion_tokens),
    cached: countOf(input.cached_tokens),
    cacheWrite: 0,
    reasoning: countOf(output.reasoning_tokens),
  };
}
