import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import type { MessagePart, ToolCall } from "@/lib/core/run/events/messages";
import type { FinishReason } from "@/lib/core/run/ports/model";
import { assertArgumentsLength, type TextEvent } from "../call/answer-limits";
import type { Answer } from "../call/call";
import { Deviations } from "../call/deviations";
import { CallRefused, createCutAnswerError, toServerError } from "../call/failure";
import { describeError, toBodyRefusal } from "../call/refusal";
import { countOf, isObject, type JsonObject, textOf } from "../json";
import type { TokenCounts } from "../pricing/usage";

/** Between two messages of one answer, and between two paragraphs of a summary. */
const paragraph = "\n\n";

const endings: ReadonlySet<string> = new Set(["response.completed", "response.incomplete", "response.failed"]);

/** Puts a stream of the Responses API together, or reads a whole response in place of one. */
export class ResponsesReader {
  #text = "";
  /** Where the text of each message begins, by its place in the output. */
  readonly #starts = new Map<number, number>();
  readonly #items = new Map<number, JsonObject>();
  #argumentsLength = 0;
  #response: JsonObject | null = null;
  /** Of an event that is neither an answer nor an error. */
  #message: string | undefined;
  readonly #deviations = new Deviations();

  get isComplete(): boolean {
    return this.#response !== null;
  }

  /** The text and reasoning in one event. @throws CallRefused when it reports that the call failed. */
  read(event: Json): TextEvent[] {
    if (!isObject(event)) return [];
    const place = countOf(event.output_index);
    switch (event.type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        return this.#addText(place, textOf(event.delta) ?? "");
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return toReasoning(textOf(event.delta) ?? "");
      case "response.reasoning_summary_part.added":
        return countOf(event.summary_index) > 0 ? toReasoning(paragraph) : [];
      case "response.function_call_arguments.delta":
        this.#argumentsLength += textOf(event.delta)?.length ?? 0;
        assertArgumentsLength(this.#argumentsLength);
        return [];
      case "response.output_item.done":
        if (isObject(event.item)) this.#items.set(place, event.item);
        return [];
    }
    if (typeof event.type === "string" && endings.has(event.type)) return this.readWhole(event.response ?? null);
    const isKnown = typeof event.type === "string" && event.type.startsWith("response.");
    return isKnown ? [] : this.#readOther(event);
  }

  /** An error of OpenAI, or in the words of a proxy. */
  #readOther(event: JsonObject): TextEvent[] {
    const { message, code = "" } = describeError(event);
    const refusal = toBodyRefusal(event);
    if (refusal) throw new CallRefused(refusal);
    if (event.type === "error")
      throw new CallRefused({ status: 0, message: message ?? "OpenAI reported an error without a reason.", code });
    this.#message ??= message;
    return [];
  }

  /** The whole response: what of its text has not come before. @throws CallRefused when it failed. */
  readWhole(response: Json): TextEvent[] {
    const refusal =
      toBodyRefusal(response) ?? (isObject(response) && response.status === "failed" && toFailure(response));
    if (refusal) throw new CallRefused(refusal);
    if (!isObject(response) || !Array.isArray(response.output))
      throw toServerError("The server ended without an answer: it sent no output.");
    this.#response = response;
    for (const [place, item] of response.output.filter(isObject).entries()) this.#items.set(place, item);
    return [...this.#items].flatMap(([place, item]) =>
      this.#starts.has(place) ? [] : this.#addText(place, textsOf(item)),
    );
  }

  #addText(place: number, text: string): TextEvent[] {
    if (text === "") return [];
    const isNext = !this.#starts.has(place);
    const separator = isNext && this.#text !== "" ? paragraph : "";
    if (isNext) this.#starts.set(place, this.#text.length + separator.length);
    this.#text += separator + text;
    return [{ type: "text", text: separator + text }];
  }

  /** @throws CallRefused when the stream stopped before its end, or a call is cut off. */
  finish(): Answer {
    if (!this.#response) throw this.#message === undefined ? createCutAnswerError() : toServerError(this.#message);
    const items = [...this.#items].toSorted(([a], [b]) => a - b);
    const toolCalls = items.flatMap(([, item]) => toToolCalls(item));
    const isRefused = items.some(([, item]) => contentOf(item).some(({ type }) => type === "refusal"));
    const reason = this.#readReason();
    if (toolCalls.length > 0 && reason === "length")
      throw new CallRefused({
        status: 0,
        code: "invalid_request",
        message: "The answer was cut at its token limit in the middle of a tool call. Raise max_tokens.",
      });
    // What was asked is in the request already.
    const { instructions: _, tools: __, ...response } = this.#response;
    return {
      type: "answer",
      content: this.#text,
      toolCalls,
      finishReason: toFinishReason(reason, { isCalling: toolCalls.length > 0, isRefused }),
      providerReason: this.#providerReason(isRefused),
      deviations: this.#deviations,
      counts: isObject(response.usage) ? readCounts(response.usage) : null,
      model: textOf(response.model),
      parts: items.flatMap(([place, item]) => this.#toParts(place, item)),
      response,
    };
  }

  #readReason(): FinishReason {
    const details = this.#response?.incomplete_details;
    if (this.#response?.status !== "incomplete") return "stop";
    const reason = isObject(details) ? details.reason : undefined;
    if (reason === undefined || reason === "max_output_tokens") return "length";
    return reason === "content_filter" ? "content-filter" : "other";
  }

  #providerReason(isRefused: boolean): string | undefined {
    const details = this.#response?.incomplete_details;
    if (isRefused) return "refusal";
    return (isObject(details) ? textOf(details.reason) : undefined) ?? textOf(this.#response?.status);
  }

  #toParts(place: number, item: JsonObject): MessagePart[] {
    if (item.type === "function_call") return [{ type: "call" }];
    if (item.type === "reasoning") return toOwnPart(item);
    const start = this.#starts.get(place);
    const phase = textOf(item.phase);
    if (item.type !== "message" || start === undefined) return [];
    const next = [...this.#starts.values()].filter((other) => other > start);
    const end = next.length > 0 ? Math.min(...next) - paragraph.length : this.#text.length;
    return [{ type: "text", start, length: end - start, ...(phase !== undefined && { phase }) }];
  }
}

/** Without its encrypted content OpenAI would look for it in its store, where it is not. `status` is for reading only. */
function toOwnPart({ status: _, ...item }: JsonObject): MessagePart[] {
  return textOf(item.encrypted_content) === undefined ? [] : [{ type: "own", value: item }];
}

const toReasoning = (text: string): TextEvent[] => (text === "" ? [] : [{ type: "reasoning", text }]);

const contentOf = (item: JsonObject): JsonObject[] =>
  Array.isArray(item.content) ? item.content.filter(isObject) : [];

const textsOf = (item: JsonObject): string =>
  item.type === "message"
    ? contentOf(item)
        .map(({ text, refusal }) => textOf(text) ?? textOf(refusal) ?? "")
        .join("")
    : "";

const toToolCalls = (item: JsonObject): ToolCall[] =>
  item.type === "function_call"
    ? [
        {
          id: textOf(item.call_id) ?? textOf(item.id) ?? "",
          name: textOf(item.name) ?? "",
          arguments: textOf(item.arguments) ?? "{}",
        },
      ]
    : [];

function toFinishReason(reason: FinishReason, answer: { isCalling: boolean; isRefused: boolean }): FinishReason {
  if (reason !== "stop") return reason;
  if (answer.isCalling) return "tool-calls";
  return answer.isRefused ? "content-filter" : "stop";
}

function toFailure(response: JsonObject) {
  const error = isObject(response.error) ? response.error : {};
  const { message = "OpenAI ended the response without a reason.", code = "server_error" } = describeError(error);
  return { status: 0, message, code };
}

function readCounts(usage: JsonObject): TokenCounts | null {
  if (typeof usage.input_tokens !== "number" && typeof usage.output_tokens !== "number") return null;
  const input = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const output = isObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  return {
    input: countOf(usage.input_tokens),
    output: countOf(usage.output_tokens),
    cached: countOf(input.cached_tokens),
    cacheWrite: countOf(input.cache_write_tokens),
    reasoning: countOf(output.reasoning_tokens),
  };
}
