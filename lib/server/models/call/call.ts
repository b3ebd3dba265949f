import "server-only";
import type { JsonSchema } from "@/lib/core/flow/flow";
import type { MessagePart, ToolCall } from "@/lib/core/run/events/messages";
import type { Usage } from "@/lib/core/run/events/usage";
import type {
  FinishReason,
  Model,
  ModelEvent,
  ModelEventOf,
  ModelFailure,
  ModelRequest,
} from "@/lib/core/run/ports/model";
import { getEnv } from "../../env";
import { redact, redactTexts, StreamRedactor } from "../../log/redact";
import { listKeys } from "../../log/secrets";
import type { Reach } from "../../net/connectable";
import { isObject, parseJson } from "../json";
import { findPrice, hasListedPrices, priceList } from "../pricing/prices";
import { estimateUsage, type TokenCounts, toUsage } from "../pricing/usage";
import type { ClosedSchema } from "../schema/closed-schema";
import { warnOfTextCall } from "../text-calls/text-call-forms";
import { AnswerMeter, AnswerTooLong, type TextEvent } from "./answer-limits";
import type { Deviations } from "./deviations";
import { CallRefused, cancelled, type ProviderRefusal, toRefusalFailure, toThrownFailure } from "./failure";
import { describeError } from "./refusal";
import { type PostedRequest, Wire } from "./wire";
import { toWriter, toWritten } from "./written-parts";

/** Where a provider is asked, and with which key. */
export interface ProviderConnection {
  apiKey?: string;
  /** As the provider's SDK wants it: with the version for OpenAI's language, without it for Anthropic and Google. */
  baseUrl?: string;
  /** Milliseconds of silence after which a call fails; ten minutes when not given. */
  idleMs?: number;
  /** How far it reaches; anywhere when not given. */
  reach?: Reach;
}

/** A silent provider is given up after this long. Thinking models and local servers may be silent for minutes. */
const longestSilence = 10 * 60_000;

/** How long a provider may take to end an answer that is whole. A connection that is cut off serves no other call. */
const graceMs = 1000;

/** What one call of a provider works with. */
export interface CallContext {
  apiKey: string;
  baseUrl: string;
  wire: Wire;
  signal: AbortSignal;
}

/** The whole answer of a provider. */
export interface Answer {
  type: "answer";
  content: string;
  toolCalls: ToolCall[];
  finishReason: FinishReason;
  /** `finishReason` as the provider calls it. */
  providerReason: string | undefined;
  deviations: Deviations;
  /** Null: the provider counted no tokens. */
  counts: TokenCounts | null;
  /** The exact model name that the provider reports. */
  model: string | undefined;
  /** The answer in pieces, where some of them are for its model only. */
  parts?: readonly MessagePart[];
  /** As the provider would send it without streaming. */
  response: object;
}

/**
 * Text and reasoning, then the answer. What came together is yielded together, so that a piece of text costs no wait of
 * its own; each yield is read through before the next one is asked for.
 */
export type AnswerEvents = AsyncGenerator<Iterable<TextEvent | Answer>, void>;

/** Sends a request through the wire. May throw anything. */
type Perform = (request: ModelRequest, context: CallContext) => AnswerEvents;

interface ProviderCall extends Required<ProviderConnection> {
  provider: string;
  /** Keys that must not occur in any event. */
  secrets: readonly string[];
  /** Whether its requests have an `Idempotency-Key`. */
  readsIdempotencyKeys: boolean;
  perform: Perform;
  /** The form in which a schema of answers is sent. */
  closeSchema?: ((schema: JsonSchema) => ClosedSchema) | undefined;
}

/** A provider's model; `ownUrl` is the base URL of the provider's own service. */
export const defineModel =
  (
    provider: string,
    ownUrl: string,
    {
      perform,
      closeSchema,
      readsIdempotencyKeys = true,
    }: Pick<ProviderCall, "perform" | "closeSchema"> & { readsIdempotencyKeys?: boolean },
  ) =>
  ({ apiKey = "", baseUrl = ownUrl, idleMs = longestSilence, reach = "anywhere" }: ProviderConnection): Model => ({
    stream: (request) =>
      runCall(request, {
        provider,
        apiKey,
        baseUrl,
        idleMs,
        reach,
        secrets: [apiKey, ...listKeys()],
        readsIdempotencyKeys,
        perform,
        closeSchema,
      }),
  });

/**
 * Turns a provider's call into what `Model` promises: `sent` as soon as a request goes out, the pieces, one last event;
 * nothing is thrown, no key shows, and an abort ends it at once whatever the provider's SDK does.
 */
async function* runCall(request: ModelRequest, call: ProviderCall): AsyncGenerator<ModelEvent, void> {
  const { signal, max_tokens: maxTokens } = request;
  if (signal.aborted) {
    yield { type: "failed", failure: cancelled };
    return;
  }
  const stop = new CallStop(signal, call.idleMs);
  const { secrets, reach, readsIdempotencyKeys } = call;
  const idempotencyKey = readsIdempotencyKeys ? request.idempotencyKey : undefined;
  const wire = new Wire(stop.signal, { secrets, reach, idempotencyKey });
  wire.onHeard = stop.heard;
  const events = call.perform(request, { apiKey: call.apiKey, baseUrl: call.baseUrl, wire, signal: stop.signal });
  const meter = new AnswerMeter({ most: getEnv().SWARMLOOM_MAX_ANSWER * 1_000_000, maxTokens });
  const pieces = new RedactedPieces([call.apiKey]);
  let [announced, isWhole] = [0, false];
  const takeSent = (): ModelEvent[] => {
    const news = wire.sent.slice(announced);
    announced += news.length;
    return news.map((sent) => toSentEvent(call, sent));
  };
  try {
    let next = events.next();
    await stop.guard(Promise.race([wire.firstSent, next]));
    for (;;) {
      yield* takeSent();
      const step = await stop.guard(next);
      if (step.done) break;
      yield* takeSent();
      for (const event of step.value) {
        if (event.type === "answer") {
          isWhole = true;
          const estimate = estimateUsage(wire.sent.at(-1)?.body.length ?? 0, meter.length + lengthOf(event.toolCalls));
          yield* pieces.end();
          yield toDone(event, estimate, { call, request });
          return;
        }
        const accepted = meter.take(event);
        yield* pieces.take(accepted.event);
        if (accepted.excess) throw accepted.excess;
      }
      next = events.next();
    }
    throw new Error("the provider's stream ended without a last event");
  } catch (error) {
    yield* takeSent();
    yield* pieces.end();
    const failure = explain(error, wire, stop, signal);
    const response = wire.refusal ? redact(wire.refusedWith, call.secrets).slice(0, longestRefusal) : "";
    yield {
      type: "failed",
      failure: { ...failure, message: redact(failure.message, call.secrets) },
      ...(response !== "" && { response }),
    };
  } finally {
    stop.end(isWhole ? graceMs : 0);
  }
}

/**
 * Text and reasoning without the key that the provider received, also where it comes in several pieces. Other secrets are
 * not sent to it: a piece that ends like the beginning of one is not held back.
 */
class RedactedPieces {
  readonly #redactors: Record<TextEvent["type"], StreamRedactor>;

  constructor(secrets: readonly string[]) {
    this.#redactors = { text: new StreamRedactor(secrets), reasoning: new StreamRedactor(secrets) };
  }

  take({ type, text }: TextEvent): TextEvent[] {
    return toPiece(type, this.#redactors[type].add(text));
  }

  /** What was held back. */
  end(): TextEvent[] {
    const { text, reasoning } = this.#redactors;
    return [...toPiece("reasoning", reasoning.end()), ...toPiece("text", text.end())];
  }
}

const toPiece = (type: TextEvent["type"], text: string): TextEvent[] => (text === "" ? [] : [{ type, text }]);

const lengthOf = (toolCalls: readonly ToolCall[]): number => JSON.stringify(toolCalls).length;

const toSentEvent = ({ provider, secrets }: ProviderCall, { url, body, dropped }: PostedRequest): ModelEvent => ({
  type: "sent",
  provider,
  url: redact(url, secrets),
  body: redactTexts(body, secrets),
  ...(dropped.length > 0 && { dropped: redactTexts(dropped, secrets) }),
});

/** How much of a refusing body is kept, in UTF-16 units. */
const longestRefusal = 100_000;

/** The last event: with the price list where there is a price, and without a key that the provider may have repeated. */
function toDone(
  {
    content: received,
    toolCalls,
    finishReason,
    providerReason,
    deviations,
    counts,
    model,
    parts = [],
    response,
  }: Answer,
  estimate: Usage,
  { call, request }: { call: ProviderCall; request: ModelRequest },
): ModelEventOf<"done"> {
  const isPriced = counts !== null && hasListedPrices(call.provider, call.baseUrl);
  const cost = isPriced ? findCost(call.provider, [model, request.model], counts) : null;
  const { output_schema: schema } = request;
  const isLast = toolCalls.length === 0;
  const content = (isLast && schema ? call.closeSchema?.(schema).decode(received) : undefined) ?? received;
  const warning = warnOfTextCall(content, request.tools);
  const written = toWritten(toWriter(call.provider, request.model), parts);
  const done: ModelEventOf<"done"> = {
    type: "done",
    message: {
      role: "assistant",
      content,
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(written && { written }),
    },
    finishReason,
    ...(providerReason !== undefined && { providerReason }),
    notes: [...deviations.toNotes(), ...(warning ? [warning] : [])],
    usage: counts ? toUsage(counts, cost) : estimate,
    ...(cost !== null && { price: priceList }),
    ...(model !== undefined && { model }),
    response: JSON.stringify(response),
  };
  return redactTexts(done, call.secrets);
}

/** By the first of the names that has a price: the provider may report one that the list lacks. */
function findCost(provider: string, names: readonly (string | undefined)[], counts: TokenCounts): number | null {
  for (const name of names) {
    const cost = name === undefined ? null : findPrice(provider, name, counts);
    if (cost !== null) return cost;
  }
  return null;
}

function explain(error: unknown, wire: Wire, stop: CallStop, signal: AbortSignal): ModelFailure {
  if (signal.aborted) return cancelled;
  if (stop.isIdle)
    return { class: "timeout", message: `The provider was silent for ${Math.round(stop.idleMs / 1000)} seconds.` };
  if (error instanceof AnswerTooLong) return { class: "answer-limit", message: error.message };
  const refusal = wire.refusal ?? (error instanceof CallRefused ? error.refusal : describeThrown(error));
  return refusal ? toRefusalFailure(wire.clean(refusal)) : toThrownFailure(error);
}

/** The SDKs throw an error event of a stream as an error with the provider's object in `error`. */
function describeThrown(error: unknown): ProviderRefusal | null {
  if (!(error instanceof Error) || !("error" in error) || !isObject(error.error)) return null;
  const { message, code = "" } = describeError(parseJson(JSON.stringify(error.error)));
  return message === undefined ? null : { status: 0, message, code };
}

/** Why a call ended from outside. One for all calls: an error takes long to make, and `explain` asks for the reason elsewhere. */
const stopped = new Error("stopped");

/** Ends a call from outside: the caller's abort, silence, or the end of reading. */
class CallStop {
  readonly #controller = new AbortController();
  #interrupt = (): void => {};
  #heardAt = 0;
  isIdle = false;

  constructor(
    readonly outer: AbortSignal,
    readonly idleMs: number,
  ) {
    outer.addEventListener("abort", this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly #abort = (): void => {
    this.#controller.abort(stopped);
    this.#interrupt();
  };

  /** The provider has sent something, if only a sign of life. */
  readonly heard = (): void => {
    this.#heardAt = performance.now();
  };

  /** The promise's value; throws as soon as the call is stopped, or has been silent for too long. For one at a time. */
  guard<T>(promise: Promise<T>): Promise<T> {
    this.heard();
    return new Promise((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout>;
      const wait = (ms: number): void => {
        timer = setTimeout(() => {
          const silentMs = performance.now() - this.#heardAt;
          if (silentMs < this.idleMs) return wait(this.idleMs - silentMs);
          this.isIdle = true;
          this.#abort();
        }, ms);
      };
      wait(this.idleMs);
      this.#interrupt = () => {
        clearTimeout(timer);
        reject(stopped);
      };
      promise.then(resolve, reject).finally(() => clearTimeout(timer));
      if (this.signal.aborted) this.#interrupt();
    });
  }

  /** Ends the provider's call if it still runs after `graceMs`. */
  end(graceMs: number): void {
    this.outer.removeEventListener("abort", this.#abort);
    if (graceMs > 0) setTimeout(this.#abort, graceMs).unref();
    else this.#abort();
  }
}
