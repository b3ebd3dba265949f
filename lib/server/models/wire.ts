import "server-only";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { Agent, interceptors, request } from "undici";
import type { Dropped } from "@/lib/core/run/events";
import { redact } from "../redact";
import type { Refusal } from "./failure";
import { describeRefusal } from "./refusal";

/**
 * One connection pool for all providers. No time-out for headers or body: a local server is silent while it loads a
 * model or reads a long prompt; `runCall` has its own idle time-out.
 */
const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connectTimeout: 30_000 }).compose(
  interceptors.redirect({ maxRedirections: 5 }),
);

/** What went over the wire: the body as it was sent, and where to (no password). */
export interface Sent {
  url: string;
  body: string;
  /** What was asked for and left out, and why. */
  dropped: readonly Dropped[];
}

interface Posted {
  headers: Record<string, string>;
  body: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

/** Sends the requests of one call, and keeps what was sent and why it was refused. */
export class Wire {
  /** Resolves when the first request goes out; never rejects. */
  readonly firstSent: Promise<Sent>;
  /** Every request that went out, in order. */
  readonly sent: Sent[] = [];
  /** Why the last request was refused, if it was. */
  refusal: Refusal | undefined;
  /** The body of that refusal, as it came. */
  refusedWith = "";
  /** What the requests from now on leave out although it was asked for. */
  readonly dropped: Dropped[] = [];
  #announce: (sent: Sent) => void = () => {};

  /** Aborting `signal` ends whatever is under way. */
  constructor(readonly signal: AbortSignal) {
    this.firstSent = new Promise((resolve) => {
      this.#announce = resolve;
    });
  }

  #refuseUrl(url: string): never {
    const message = `The base URL must begin with http:// or https://, found ${redact(url, [])}`;
    this.refusal = { status: 0, code: "invalid_request", message };
    throw new Error(message);
  }

  /** Posts a request. The answer to one that was refused is read already: it stands in `refusal`. */
  async send(url: string, { headers, body }: Posted): Promise<Answer> {
    if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : "")) this.#refuseUrl(url);
    const sent = { url: redact(url, []), body, dropped: [...this.dropped] };
    this.sent.push(sent);
    this.refusal = undefined;
    this.#announce(sent);
    const options = { method: "POST", headers, body, signal: this.signal, dispatcher } as const;
    const { statusCode: status, statusText, ...answer } = await request(url, options);
    if (status < 200 || status > 299) {
      const text = await answer.body.text();
      this.refusedWith = text;
      this.refusal = describeRefusal({ status, statusText, headers: toHeaders(answer.headers), text });
    }
    return { status, ...answer };
  }

  /** `send` as the providers' SDKs want it. Their own signals end nothing: the call's does. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    const { status, headers, body } = await this.send(url, {
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === "string" ? init.body : "",
    });
    if (this.refusal) return Response.json({ error: { message: this.refusal.message } }, { status });
    return new Response(bodiless.has(status) ? null : toStream(body), { status, headers: toHeaders(headers) });
  };
}

/** Answers that may have no body. */
const bodiless = new Set([204, 205]);

function toHeaders(given: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(given)) for (const one of [value].flat()) headers.append(name, one);
  return headers;
}

/** The same bytes as a stream of the global kind, which the SDKs read. */
function toStream(body: AsyncIterable<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}
