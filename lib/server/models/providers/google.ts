import "server-only";
import type { GenerateContentResponse, FinishReason as GoogleFinishReason, Part } from "@google/genai";
import type { ToolCall } from "@/lib/core/run/events/messages";
import type { FinishReason, ModelRequest } from "@/lib/core/run/ports/model";
import type { TextEvent } from "../call/answer-limits";
import { type Answer, type AnswerEvents, type CallContext, defineModel } from "../call/call";
import { Deviations } from "../call/deviations";
import { CallRefused, createCutAnswerError, toServerError } from "../call/failure";
import { describeRefusal } from "../call/refusal";
import { countOf } from "../json";
import type { TokenCounts } from "../pricing/usage";
import { findDropped, toGenerateRequest } from "./google-request";

/** The address of the service itself. */
export const googleUrl = "https://generativelanguage.googleapis.com";

/**
 * Google's Gemini models over the official SDK, by `streamGenerateContent`. The SDK tries once unless told otherwise;
 * its own way of going on with a broken stream is off: the engine retries.
 */
export const createGoogleModel = defineModel("google", googleUrl, {
  perform: streamGenerate,
  readsIdempotencyKeys: false,
});

async function* streamGenerate(request: ModelRequest, { apiKey, baseUrl, wire, signal }: CallContext): AnswerEvents {
  // Loaded with the first call: it takes half a second, and most commands call no model.
  const { GoogleGenAI } = await import("@google/genai");
  const client = new GoogleGenAI({ apiKey, vertexai: false, httpOptions: { baseUrl, fetch: wire.fetch } });
  const { config, ...requestFields } = toGenerateRequest(request);
  wire.dropped.push(...findDropped(request));
  const reader = new GenerateReader(request.messages.length);
  try {
    const stream = await client.models.generateContentStream({
      ...requestFields,
      config: { ...config, abortSignal: signal, automaticContinuation: false },
    });
    for await (const chunk of stream) yield reader.read(chunk);
  } catch (error) {
    throw toStreamError(error);
  }
  yield [reader.finish()];
}

/** The SDK throws an error event of Google's stream as text: the JSON after a few words of its own. */
function toStreamError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const text = /^got status: .*?\. (\{.*\})$/s.exec(error.message)?.[1];
  if (text !== undefined && "status" in error && typeof error.status === "number")
    return new CallRefused(describeRefusal({ status: error.status, statusText: "", headers: new Headers(), text }));
  return error instanceof SyntaxError || error.message.startsWith("Incomplete JSON segment")
    ? createCutAnswerError()
    : error;
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

/** Puts a `streamGenerateContent` stream together. */
class GenerateReader {
  readonly #calls: ToolCall[] = [];
  readonly #deviations = new Deviations();
  #text = "";
  #model: string | undefined;
  #finish: GoogleFinishReason | undefined;
  #usage: GenerateContentResponse["usageMetadata"];
  #responseId: string | undefined;
  readonly #parts: Part[] = [];

  /** `turn` keeps made-up tool call ids apart from those of earlier turns. */
  constructor(private readonly turn: number) {}

  /** The text and reasoning in one chunk. @throws CallRefused when the prompt was blocked. */
  read(chunk: GenerateContentResponse): TextEvent[] {
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

  #readPart(contentPart: Part): TextEvent[] {
    const { text, thought, functionCall, thoughtSignature } = contentPart;
    this.#keepPart(contentPart);
    if (functionCall) {
      const { id, name = "", args = {} } = functionCall;
      const generatedId = `call_${this.turn}_${this.#calls.length + 1}`;
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
    if (!thought) this.#text += text;
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

  /** @throws CallRefused when there is no usable answer. */
  finish(): Answer {
    if (this.#finish === undefined || this.#finish === "CONTINUATION") throw createCutAnswerError();
    if (mistakes.has(this.#finish))
      throw toServerError(`Gemini ended with ${this.#finish}: it made a tool call that cannot be used.`);
    const reportedReason = finishReasons[this.#finish] ?? "other";
    const isWhole = reportedReason !== "length" && reportedReason !== "content-filter";
    return {
      type: "answer",
      content: this.#text,
      toolCalls: this.#calls,
      finishReason: this.#calls.length > 0 && isWhole ? "tool-calls" : reportedReason,
      providerReason: this.#finish,
      deviations: this.#deviations,
      counts: this.#readCounts(),
      model: this.#model,
      response: {
        responseId: this.#responseId,
        modelVersion: this.#model,
        usageMetadata: this.#usage,
        candidates: [{ finishReason: this.#finish, content: { role: "model", parts: this.#parts } }],
      },
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
