import "server-only";
import { Agent, fetch as fetchOver } from "undici";
import { type Refusal, redact } from "./failure";
import { describeRefusal } from "./refusal";

/**
 * One connection pool for all providers. No time-out for headers or body: a local server is silent while it loads a
 * model or reads a long prompt; `runCall` has its own idle time-out.
 */
const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connectTimeout: 30_000 });

/** What went over the wire: the body as it was sent, and where to (no password). */
export interface Sent {
  url: string;
  body: string;
}

/** A `fetch` for a provider's SDK that keeps what was sent and why it was refused. */
export class Wire {
  /** Resolves when the first request goes out; never rejects. */
  readonly firstSent: Promise<Sent>;
  /** Every request that went out, in order. */
  readonly sent: Sent[] = [];
  /** Why the last request was refused, if it was. */
  refusal: Refusal | undefined;
  #announce: (sent: Sent) => void = () => {};

  constructor() {
    this.firstSent = new Promise((resolve) => {
      this.#announce = resolve;
    });
  }

  #refuseUrl(url: string): never {
    const message = `The base URL must begin with http:// or https://, found ${redact(url, [])}`;
    this.refusal = { status: 0, code: "invalid_request", message };
    throw new Error(message);
  }

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : "")) this.#refuseUrl(url);
    const body = typeof init.body === "string" ? init.body : "";
    const sent = { url: redact(url, []), body };
    this.sent.push(sent);
    this.refusal = undefined;
    this.#announce(sent);
    const response = await fetchOver(url, {
      method: init.method ?? "POST",
      headers: [...new Headers(init.headers)],
      body,
      dispatcher,
      ...(init.signal && { signal: init.signal }),
    });
    const { status, statusText } = response;
    const headers = new Headers([...response.headers]);
    // The body arrives unpacked; a length or an encoding would be wrong now.
    headers.delete("content-encoding");
    headers.delete("content-length");
    if (response.ok) return new Response(response.body && toStream(response.body), { status, statusText, headers });
    const text = await response.text();
    this.refusal = describeRefusal({ status, statusText, headers, text });
    return new Response(text, { status, statusText, headers });
  };
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
