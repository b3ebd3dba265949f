import "server-only";
import { z } from "zod";
import type { AllowedHost } from "../net/allow-list";
import { type Lookup, systemLookup } from "../net/guard";
import { type RequestLimits, requestGuarded, requestLimits } from "../net/guarded-request";
import { toIdempotencyHeader } from "../net/idempotency-header";
import { decodeBody } from "../net/read-capped";
import { defineTool } from "./define-tool";

/** Those that the connection itself needs (RFC 9110 section 7.6.1), and the name of the host. */
const ownHeaders =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|expect|http2-settings)$/;
const maxHeaders = 16_000;

/** Headers of an answer that a model can use; cookies and the rest are left out. */
const shownHeaders = [
  "content-type",
  "content-language",
  "last-modified",
  "etag",
  "location",
  "link",
  "allow",
  "retry-after",
];

const inputSchema = z.strictObject({
  url: z.string().min(1).max(4000).describe("The whole URL, beginning with http:// or https://"),
  method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]).default("GET").describe("Default: GET"),
  headers: z.record(z.string(), z.string()).optional().describe('Headers to send, such as {"accept": "text/html"}'),
  body: z
    .string()
    .max(1_000_000)
    .optional()
    .describe("Body to send with POST, PUT, PATCH or DELETE; name its type in the header content-type"),
});

/** The headers that a model asks for. @throws Error for one that may not be set or is none. */
function readHeaders(requestedHeaders: Readonly<Record<string, string>>): Headers {
  const headers = new Headers({ "user-agent": "Swarmloom" });
  for (const [name, value] of Object.entries(requestedHeaders)) {
    if (ownHeaders.test(name.trim().toLowerCase()))
      throw new Error(`the header "${name}" cannot be set: the connection sets it itself`);
    try {
      headers.set(name, value);
    } catch {
      throw new Error(`expected a header name and a value in one line, found ${JSON.stringify(name.slice(0, 100))}`);
    }
  }
  const size = [...headers].reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (size > maxHeaders) throw new Error(`expected at most ${maxHeaders} characters of headers, found ${size}`);
  return headers;
}

interface HttpWorld {
  /** Hosts that are reached although their address is not public. */
  allow(): readonly AllowedHost[];
  /** The port of this server, which no agent reaches. */
  ownPort(): number;
  lookup?: Lookup;
  limits?: RequestLimits;
}

/** Asks an address of the web; private networks are out of reach, also by redirects and by names that change. */
export const createHttpRequest = ({ allow, ownPort, lookup = systemLookup, limits = requestLimits }: HttpWorld) =>
  defineTool({
    name: "http_request",
    description:
      "Sends an HTTP request to a public web address and answers with status, headers and body as text. Follows redirects. Use it for web APIs.",
    input: inputSchema,
    acts: true,
    isIdempotent: ({ method }) => method !== "POST" && method !== "PATCH",
    execute: async ({ url, method, headers = {}, body }, { signal, idempotencyKey, httpHosts = null }) => {
      if (body !== undefined && (method === "GET" || method === "HEAD"))
        throw new Error(`a ${method} request has no body; leave it out, or use POST`);
      const request = { url, method, headers: readHeaders(headers), body };
      const isIdempotent = method !== "POST" && method !== "PATCH";
      if (!isIdempotent && !request.headers.has("idempotency-key"))
        request.headers.set("idempotency-key", toIdempotencyHeader(idempotencyKey));
      const guard = { allow: allow(), setting: "SWARMLOOM_HTTP_ALLOW", ownPort: ownPort(), lookup, hosts: httpHosts };
      const answer = await requestGuarded(request, { guard, signal, limits });
      const type = answer.headers.get("content-type") ?? "";
      const text = decodeBody(answer, type);
      return {
        status: answer.status,
        url: answer.url.href,
        headers: Object.fromEntries(
          shownHeaders.flatMap((name) => {
            const value = answer.headers.get(name);
            return value === null ? [] : [[name, value.slice(0, 500)]];
          }),
        ),
        ...(answer.isCut && { note: `the body was cut after ${limits.bytes} bytes` }),
        body: text ?? `[binary data, not shown: ${type || "no content type"}, ${answer.bytes.length} bytes]`,
      };
    },
  });
