import "server-only";
import type { GenerateContentResponse, FinishReason as GoogleFinishReason, Part } from "@google/genai";
import type { ToolCall } from "@/lib/core/run/events/messages";
import type { FinishReason, Model, ModelEvent, ModelRequest } from "@/lib/core/run/ports/model";
import { type CallContext, CallRefused, createModel } from "../call/call";
import { Deviations } from "../call/deviations";
import { describeRefusal } from "../call/refusal";
import type { ProviderConnection } from "../connection";
import { countOf } from "../json";
import { findPrice, hasListedPrices } from "../pricing/prices";
import { type TokenCounts, toUsage } from "../pricing/usage";
import { findDropped, toGenerateRequest } from "./google-request";

const ownUrl = "https://generativelanguage.googleapis.com";

/**
 * Google's Gemini models over the official SDK, by `streamGenerateContent`. The SDK tries once unless told otherwise;
 * its own way of going on with a broken stream is off: the engine retries.
 */
export function createGoogleModel({ baseUrl = ownUrl, ...connection }: ProviderConnection): Model {
  return createModel("google", connection, (request, way) => streamGenerate(request, baseUrl, way));
}

async function* streamGenerate(
  request: ModelRequest,
  baseUrl: string,
  { apiKey, wire, signal }: CallContext,
): AsyncGenerator<Iterable<ModelEvent>, void> {
  // Loaded with the first call: it takes half a second, and most commands call no model.
  const { GoogleGenAI } = await import("@google/genai");
  const client = new GoogleGenAI({ apiKey, vertexai: false, httpOptions: { baseUrl, fetch: wire.fetch } });
  const { config, ...requestFields } = toGenerateRequest(request);
  wire.dropped.push(...findDropped(request));
  const reader = new GenerateReader({
    turn: request.messages.length,
    priceOf: (counts, model) =>
      hasListedPrices("google", baseUrl) ? findPrice("google", model ?? request.model, counts) : null,
  });
  try {
    const stream = await client.models.generateContentStream({
      ...requestFields,
      config: { ...config, abortSignal: signal, automaticContinuation: false },
    });
    for await (const chunk of stream) yield reader.read(chunk);
  } catch (error) {
    throw toStreamError(error);
  }
  yield [reader.finish(wire.sent.at(-1)?.body.length ?? 0)];
}

const cutOff = () =>
  new CallRefused({ status: 0, code: "server_error", message: "The answer stopped before its end." });

/** The SDK throws an error event of Google's stream as text: the JSON after a few words of its own. */
function toStreamError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const text = /^got status: .*?\. (\{.*\})$/s.exec(error.message)?.[1];
  if (text !== undefined && "status" in error && typeof error.status === "number")
    return new CallRefused(describeRefusal({ status: error.status, statusText: "", headers: new Headers(), text }));
  return error instanceof SyntaxError || error.message.startsWith("Incomplete JSON segment") ? cutOff() : error;
}

/** What is missing here reads "other". */
const finishReasons: Partial<Record<`${GoogleFinishReason}`, FinishReason>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "content-filter",
  RECITATION: "content-filter",
  BLOCKLIST: "content-filter",
  PROHIBITED_CONTENT: "content-filter",
  SPII: "content-filter",
  IMAGE_SAFETY: "content-filter",
  IMAGE_PROHIBITED_CONTENT: "content-filter",
  IMAGE_RECITATION: "content-filter",
};

/** A model's slip: there is no answer, and another try may well give one. */
const mistakes: ReadonlySet<string> = new Set<`${GoogleFinishReason}`>([
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
]);

interface GenerateReaderOptions {
  /** Keeps made-up tool call ids apart from those of earlier turns. */
  turn: number;
  priceOf(counts: TokenCounts, model: string | undefined): number | null;
}

/** Puts a `streamGenerateContent` stream together. */
class GenerateReader {
  readonly #options: GenerateReaderOptions;
  readonly #calls: ToolCall[] = [];
  readonly #deviations = new Deviations();
  #text = "";
  #thoughtLength = 0;
  #model: string | undefined;
  #finish: GoogleFinishReason | undefined;
  #usage: GenerateContentResponse["usageMetadata"];
  #responseId: string | undefined;
  readonly #parts: Part[] = [];

  constructor(options: GenerateReaderOptions) {
    this.#options = options;
  }

  /** The text and reasoning in one chunk. @throws CallRefused when the prompt was blocked. */
  read(chunk: GenerateContentResponse): ModelEvent[] {
    const { candidates, modelVersion, usageMetadata, promptFeedback, responseId } = chunk;
    this.#model = modelVersion ?? this.#model;
    this.#responseId = responseId ?? this.#responseId;
    // Counts are cumulative; a later one replaces an earlier one, a missing one leaves it.
    if (usageMetadata) this.#usage = { ...this.#usage, ...usageMetadata };
    const [candidate] = candidates ?? [];
    if (!candidate && promptFeedback?.blockReason) {
      const { blockReason, blockReasonMessage = "" } = promptFeedback;
      const message = `Google did not answer: it blocked the prompt (${blockReason}). ${blockReasonMessage}`.trim();
      throw new CallRefused({ status: 0, code: "invalid_request", message });
    }
    this.#finish = candidate?.finishReason ?? this.#finish;
    return (candidate?.content?.parts ?? []).flatMap((contentPart) => this.#readPart(contentPart));
  }

  #readPart(contentPart: Part): ModelEvent[] {
    const { text, thought, functionCall, thoughtSignature } = contentPart;
    this.#keepPart(contentPart);
    if (functionCall) {
      const { id, name = "", args = {} } = functionCall;
      const generatedId = `call_${this.#options.turn}_${this.#calls.length + 1}`;
      const isTaken = this.#calls.some((call) => call.id === id);
      if (isTaken) this.#deviations.add("duplicate-id");
      this.#calls.push({
        id: id && !isTaken ? id : generatedId,
        name,
        arguments: JSON.stringify(args),
        ...(thoughtSignature && { providerData: { thoughtSignature } }),
      });
    }
    if (!text) return [];
    if (thought) this.#thoughtLength += text.length;
    else this.#text += text;
    return [{ type: thought ? "reasoning" : "text", text }];
  }

  /** Texts that follow each other are one. */
  #keepPart(contentPart: Part): void {
    const last = this.#parts.at(-1);
    const goesOn = last?.text !== undefined && contentPart.text !== undefined && last.thought === contentPart.thought;
    if (goesOn)
      this.#parts[this.#parts.length - 1] = { ...last, ...contentPart, text: `${last.text}${contentPart.text}` };
    else this.#parts.push(contentPart);
  }

  /** The last event. @throws CallRefused when there is no usable answer. */
  finish(sentLength: number): ModelEvent {
    if (this.#finish === undefined || this.#finish === "CONTINUATION") throw cutOff();
    if (mistakes.has(this.#finish)) {
      const message = `Gemini ended with ${this.#finish}: it made a tool call that cannot be used.`;
      throw new CallRefused({ status: 0, code: "server_error", message });
    }
    const toolCalls = this.#calls;
    const reportedReason = finishReasons[this.#finish] ?? "other";
    const answeredLength = this.#text.length + this.#thoughtLength + JSON.stringify(toolCalls).length;
    const counts = this.#readCounts() ?? { sentLength, answeredLength };
    return {
      type: "done",
      message: { role: "assistant", content: this.#text, ...(toolCalls.length > 0 && { toolCalls }) },
      providerReason: this.#finish,
      notes: this.#deviations.toNotes(),
      finishReason:
        toolCalls.length > 0 && reportedReason !== "length" && reportedReason !== "content-filter"
          ? "tool-calls"
          : reportedReason,
      usage: toUsage(counts, (totalCounts) => this.#options.priceOf(totalCounts, this.#model)),
      ...(this.#model !== undefined && { model: this.#model }),
      response: JSON.stringify({
        responseId: this.#responseId,
        modelVersion: this.#model,
        usageMetadata: this.#usage,
        candidates: [{ finishReason: this.#finish, content: { role: "model", parts: this.#parts } }],
      }),
    };
  }

  /** Google counts thoughts apart from the answer; both are output. */
  #readCounts(): TokenCounts | null {
    const usage = this.#usage;
    if (usage?.promptTokenCount === undefined && usage?.candidatesTokenCount === undefined) return null;
    const reasoning = countOf(usage.thoughtsTokenCount);
    return {
      input: countOf(usage.promptTokenCount),
      output: countOf(usage.candidatesTokenCount) + reasoning,
      cached: countOf(usage.cachedContentTokenCount),
      cacheWrite: 0,
      reasoning,
    };
  }
}
