import "server-only";
import type { Model, ModelEvent, ModelFailure, ModelRequest, ToolSpec } from "@/lib/core/run/ports/model";
import { getEnv } from "../../env";
import { redact, redactSecrets } from "../../log/redact";
import type { ProviderConnection } from "../connection";
import { isObject, parseJson } from "../json";
import { priceList } from "../pricing/prices";
import { AnswerMeter, AnswerTooLong } from "./answer-limits";
import { cancelled, type ProviderRefusal, toRefusalFailure, toThrownFailure } from "./failure";
import { describeError } from "./refusal";
import { warnOfTextCall } from "./warn-of-text-call";
import { type PostedRequest, Wire } from "./wire";

/** A silent provider is given up after this long. Thinking models and local servers may be silent for minutes. */
const idleMs = 10 * 60_000;

/** How long a provider may take to end an answer that is whole. A connection that is cut off serves no other call. */
const graceMs = 1000;

/** A provider's refusal inside a stream, or an answer that cannot be used. */
export class CallRefused extends Error {
  override name = "CallRefused";
  constructor(readonly refusal: ProviderRefusal) {
    super(refusal.message);
  }
}

interface ProviderCall {
  provider: string;
  signal: AbortSignal;
  /** Keys that must not occur in any event. */
  secrets: readonly string[];
  /** The tools that the request offers. */
  tools: readonly ToolSpec[];
  /** Milliseconds without an event after which the call fails; ten minutes when not given. */
  idleMs?: number;
  /** Most tokens that the request allows. */
  maxTokens?: number | undefined;
  /** May throw anything. */
  perform(wire: Wire, signal: AbortSignal): ReturnType<Perform>;
}

/** What one call of a provider works with. */
export interface CallContext {
  apiKey: string;
  wire: Wire;
  signal: AbortSignal;
}

/**
 * Sends a request through the wire and yields text and reasoning, then `done`. What came together is yielded together, so
 * that a piece of text costs no wait of its own; each yield is read through before the next one is asked for.
 */
type Perform = (request: ModelRequest, way: CallContext) => AsyncGenerator<Iterable<ModelEvent>, void>;

/** A provider's model. */
export function createModel(
  provider: string,
  { apiKey = "", idleMs }: Omit<ProviderConnection, "baseUrl">,
  perform: Perform,
): Model {
  return {
    stream: (request) =>
      runCall({
        provider,
        signal: request.signal,
        secrets: [apiKey],
        tools: request.tools,
        ...(idleMs !== undefined && { idleMs }),
        maxTokens: request.max_tokens,
        perform: (wire, signal) => perform(request, { apiKey, wire, signal }),
      }),
  };
}

/**
 * Turns a provider's call into what `Model` promises: `sent` as soon as a request goes out, the pieces, one last event;
 * nothing is thrown, no key shows, and an abort ends it at once whatever the provider's SDK does.
 */
async function* runCall(call: ProviderCall): AsyncGenerator<ModelEvent, void> {
  if (call.signal.aborted) {
    yield { type: "failed", failure: cancelled };
    return;
  }
  const stop = new CallStop(call.signal, call.idleMs ?? idleMs);
  const wire = new Wire(stop.signal);
  const events = call.perform(wire, stop.signal);
  const meter = new AnswerMeter({ length: getEnv().SWARMLOOM_MAX_ANSWER * 1_000_000, maxTokens: call.maxTokens });
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
        if (event.type === "text" || event.type === "reasoning") {
          const accepted = meter.take(event);
          yield accepted.event;
          if (accepted.excess) throw accepted.excess;
          continue;
        }
        isWhole = event.type === "done";
        yield event.type === "done" ? complete(withTextCallWarning(event, call.tools), call.secrets) : event;
        if (event.type === "done" || event.type === "failed") return;
      }
      next = events.next();
    }
    throw new Error("the provider's stream ended without a last event");
  } catch (error) {
    yield* takeSent();
    const failure = redactFailure(explain(error, wire, stop, call.signal), call.secrets);
    const response = wire.refusal ? redact(wire.refusedWith.slice(0, longestRefusal), call.secrets) : "";
    yield { type: "failed", failure, ...(response !== "" && { response }) };
  } finally {
    stop.end(isWhole ? graceMs : 0);
  }
}

const toSentEvent = ({ provider, secrets }: ProviderCall, { url, body, dropped }: PostedRequest): ModelEvent => ({
  type: "sent",
  provider,
  url: redact(url, secrets),
  body,
  ...(dropped.length > 0 && { dropped }),
});

/** How much of a refusing body is kept, in UTF-16 units. */
const longestRefusal = 100_000;

/** With the price list where there is a price, and without a key that the provider may have repeated. */
function complete(done: DoneEvent, secrets: readonly string[]): DoneEvent {
  const { response, usage } = done;
  const priced = usage.cost === null ? done : { ...done, price: priceList };
  return response === undefined ? priced : { ...priced, response: redactSecrets(response, secrets) };
}

function withTextCallWarning(done: DoneEvent, tools: readonly ToolSpec[]): DoneEvent {
  const warning = warnOfTextCall(done.message.content, tools);
  return warning ? { ...done, notes: [...(done.notes ?? []), warning] } : done;
}

type DoneEvent = Extract<ModelEvent, { type: "done" }>;

const redactFailure = (failure: ModelFailure, secrets: readonly string[]): ModelFailure => ({
  ...failure,
  message: redact(failure.message, secrets),
});

function explain(error: unknown, wire: Wire, stop: CallStop, signal: AbortSignal): ModelFailure {
  if (signal.aborted) return cancelled;
  if (stop.isIdle)
    return { class: "timeout", message: `The provider was silent for ${Math.round(stop.idleMs / 1000)} seconds.` };
  if (error instanceof AnswerTooLong) return { class: "answer-limit", message: error.message };
  if (wire.refusal) return toRefusalFailure(wire.refusal);
  if (error instanceof CallRefused) return toRefusalFailure(error.refusal);
  const refusal = describeThrown(error);
  return refusal ? toRefusalFailure(refusal) : toThrownFailure(error);
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

  /** The promise's value; throws as soon as the call is stopped, or has been silent for too long. For one at a time. */
  guard<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.isIdle = true;
        this.#abort();
      }, this.idleMs);
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
