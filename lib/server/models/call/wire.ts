import "server-only";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { Agent, type Dispatcher, request } from "undici";
import type { DroppedParameter } from "@/lib/core/run/events/events";
import { redact, redactSecrets, redactTexts } from "../../log/redact";
import { listKeys } from "../../log/secrets";
import { assertConnectable, type CheckedReach, connectableLookup, type Reach } from "../../net/connectable";
import { toIdempotencyHeader } from "../../net/idempotency-header";
import { readCapped } from "../../net/read-capped";
import { parseJson } from "../json";
import { AnswerTooLong, longestBody, StreamMeter } from "./answer-limits";
import { CallRefused, type ProviderRefusal } from "./failure";
import { describeRefusal, toBodyRefusal } from "./refusal";

/**
 * One connection pool for all providers. No time-out for headers or body: a local server is silent while it loads a
 * model or reads a long prompt; `runCall` has its own idle time-out.
 */
const patience = { headersTimeout: 0, bodyTimeout: 0 };
const dispatcher = new Agent({ ...patience, connectTimeout: 30_000 });

const toGuardedDispatcher = (reach: CheckedReach) =>
  new Agent({ ...patience, connect: { timeout: 30_000, lookup: connectableLookup(reach) } });
/** The same for addresses that were entered in the app. */
const guardedDispatchers = { networks: toGuardedDispatcher("networks"), internet: toGuardedDispatcher("internet") };

/** Most redirects that one request follows. */
const mostRedirects = 5;

/** How much of a refusing body is read, in bytes. */
const longestRefusal = 1_000_000;

/** What went over the wire: the body as it was sent, and where to (no password). */
export interface PostedRequest {
  url: string;
  body: string;
  /** What was asked for and left out, and why. */
  dropped: readonly DroppedParameter[];
}

interface RequestContent {
  headers: Record<string, string>;
  body: string;
}

/** Of a call what its requests need: the keys that no kept text may contain, and how far they reach. */
interface WireOptions {
  secrets: readonly string[];
  reach: Reach;
  idempotencyKey?: string | undefined;
}

export interface ProviderAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

/** Sends the requests of one call, and keeps what was sent and why it was refused. */
export class Wire {
  /** Resolves when the first request goes out; never rejects. */
  readonly firstSent: Promise<PostedRequest>;
  /** Every request that went out, in order. */
  readonly sent: PostedRequest[] = [];
  /** Why the last request was refused, if it was. */
  refusal: ProviderRefusal | undefined;
  /** The body of that refusal, as it came. */
  refusedWith = "";
  /** What the requests from now on leave out although it was asked for. */
  readonly dropped: DroppedParameter[] = [];
  /** Called for each piece of an answer, also for one without content: the provider is alive. */
  onHeard: () => void = () => {};
  #announce: (sent: PostedRequest) => void = () => {};

  /** Aborting `signal` ends whatever is under way. */
  constructor(
    readonly signal: AbortSignal,
    private readonly options: WireOptions = { secrets: [], reach: "anywhere" },
  ) {
    this.firstSent = new Promise((resolve) => {
      this.#announce = resolve;
    });
  }

  /** A text without keys. */
  hide(text: string): string {
    return redactSecrets(text, this.options.secrets);
  }

  /** A refusal without keys, to be cut only then: a key that is cut in two is not found any more. */
  clean(refusal: ProviderRefusal): ProviderRefusal {
    return redactTexts(refusal, this.options.secrets);
  }

  /** Ends the call. The SDKs hide what is thrown here, hence `refusal`. */
  #refuse(refusal: ProviderRefusal, body = ""): never {
    this.refusal = refusal;
    this.refusedWith = body;
    throw new CallRefused(refusal);
  }

  /** Posts a request. The answer to a refused one has been read: see `refusal`. */
  async send(url: string, { headers, body }: RequestContent): Promise<ProviderAnswer> {
    if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : "")) {
      const message = `The base URL must begin with http:// or https://, found ${redact(url, [])}`;
      this.#refuse({ status: 0, code: "invalid_request", message });
    }
    const sent = { url: redact(url, []), body, dropped: [...this.dropped] };
    this.sent.push(sent);
    this.refusal = undefined;
    this.#announce(sent);
    const content = { headers: { ...headers, ...this.#toIdempotencyHeaders() }, body };
    const { statusCode: status, statusText, ...answer } = await this.#post(url, content);
    if (status < 200 || status > 299) {
      const { bytes } = await readCapped(answer.body, longestRefusal);
      // Redacted before anything is cut from it, and again where it has been read as JSON.
      const text = this.hide(new TextDecoder().decode(bytes));
      this.refusedWith = text;
      this.refusal = this.#toRefusal(url, { status, statusText, headers: toHeaders(answer.headers), text });
    }
    return { status, ...answer };
  }

  /** A refused request that is sent again without an option is another one. */
  #toIdempotencyHeaders(): Record<string, string> {
    const { idempotencyKey } = this.options;
    return idempotencyKey === undefined
      ? {}
      : { "idempotency-key": toIdempotencyHeader(`${idempotencyKey}:${this.sent.length}`) };
  }

  /** Posts again where the same origin redirects to. Another origin gets neither the keys nor the prompt. */
  async #post(url: string, { headers, body }: RequestContent) {
    for (let [target, redirects] = [url, 0]; ; redirects++) {
      const answer = await this.request(target, { method: "POST", headers, body });
      const next = redirects < mostRedirects ? findRedirect(target, answer) : null;
      if (next?.origin !== new URL(target).origin) return answer;
      await answer.body.dump();
      target = next.href;
    }
  }

  /** One request as it is, without redirects. An address that was entered in the app is checked, and its names when they connect. */
  request(url: string, options: Pick<Dispatcher.RequestOptions, "method" | "headers" | "body">) {
    const { reach } = this.options;
    if (reach !== "anywhere") assertConnectable(url, reach);
    const via = reach === "anywhere" ? dispatcher : guardedDispatchers[reach];
    return request(url, { ...options, signal: this.signal, dispatcher: via });
  }

  #toRefusal(url: string, answer: Parameters<typeof describeRefusal>[0]): ProviderRefusal {
    const location = answer.headers.get("location");
    if (answer.status < 300 || answer.status > 399 || location === null) return describeRefusal(answer);
    const target = URL.canParse(location, url)
      ? redact(new URL(location, url).href, this.options.secrets)
      : location.slice(0, 200);
    const message = `The server redirects to ${target}. Keys and prompts go to no other origin than the base URL's, and at most ${mostRedirects} redirects are followed: correct the base URL.`;
    return { status: 0, code: "invalid_request", message };
  }

  /** `send` as the providers' SDKs want it. Their own signals end nothing: the call's does. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    const { status, headers, body } = await this.send(url, {
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === "string" ? init.body : "",
    });
    if (this.refusal) return Response.json({ error: { message: this.refusal.message } }, { status });
    const opened = await openAnswer(body, this.onHeard);
    const refusal = "whole" in opened && toBodyRefusal(parseJson(opened.whole));
    if (refusal) this.#refuse(refusal, opened.whole);
    const content = "whole" in opened ? opened.whole : toStream(opened.stream);
    return new Response(bodiless.has(status) ? null : content, { status, headers: toHeaders(headers) });
  };
}

/** Where a redirect leads that keeps method and body; a browser's form would go on with GET after 301 and 302, an API does not. */
function findRedirect(url: string, { statusCode, headers }: { statusCode: number; headers: IncomingHttpHeaders }) {
  const { location } = headers;
  if (![301, 302, 307, 308].includes(statusCode) || location === undefined) return null;
  return URL.canParse(location, url) ? new URL(location, url) : null;
}

/**
 * A body as one JSON text, or as the stream of events that was asked for: no line of such a stream begins with a brace
 * or a bracket, whatever the headers declare. `onHeard` is called for each piece.
 */
export async function openAnswer(
  body: AsyncIterable<Uint8Array<ArrayBuffer>>,
  onHeard: () => void = () => {},
): Promise<{ whole: string } | { stream: AsyncIterable<Uint8Array<ArrayBuffer>> }> {
  const chunks = body[Symbol.asyncIterator]();
  const first: Uint8Array<ArrayBuffer>[] = [];
  let begin = "";
  // Servers keep a connection alive with blank lines, also before a body of JSON.
  while (begin === "") {
    const { done, value } = await chunks.next();
    if (done) break;
    onHeard();
    first.push(value);
    if (first.length > mostBlankPieces) break;
    begin = new TextDecoder().decode(value).trimStart();
  }
  const stream = resume(first, chunks, onHeard);
  const isWhole = /^[[{]/.test(begin);
  return isWhole ? { whole: await readBody(stream) } : { stream };
}

async function readBody(body: AsyncIterable<Uint8Array>): Promise<string> {
  const { bytes, isCut } = await readCapped(body, longestBody);
  if (isCut) throw new AnswerTooLong(`The server answered with more than ${longestBody} bytes. The call was ended.`);
  return new TextDecoder().decode(bytes);
}

/** Most pieces without a letter before an answer is taken for a stream. */
const mostBlankPieces = 1000;

async function* resume<T>(first: readonly T[], chunks: AsyncIterator<T>, onHeard: () => void): AsyncGenerator<T, void> {
  try {
    yield* first;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      onHeard();
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

/** Answers that may have no body. */
const bodiless = new Set([204, 205]);

function toHeaders(nodeHeaders: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(nodeHeaders))
    for (const item of [value].flat()) headers.append(name, item);
  return headers;
}

/** The same bytes as a stream of the global kind, which the SDKs read. */
function toStream(body: AsyncIterable<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = body[Symbol.asyncIterator]();
  const meter = new StreamMeter();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) return controller.close();
      meter.add(value);
      controller.enqueue(value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}

/** The wire of a request that is no model call. */
export const redactedWire = (
  { apiKey = "", reach = "anywhere" }: { apiKey?: string; reach?: Reach },
  signal: AbortSignal,
): Wire => new Wire(signal, { secrets: [apiKey, ...listKeys()], reach });
