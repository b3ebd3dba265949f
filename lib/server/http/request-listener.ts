import "server-only";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { AppError, toErrorResponse } from "../app-error";
import { answerAtGate, isApiPath } from "../auth/gate";
import { waitForTurn } from "../event-loop-turns";
import { logger } from "../log/logger";
import { asLoopWork, toRoute } from "../metrics/loop-holds";
import { addressHeader, toClientAddress } from "../net/client-address";
import { declaresMore, limitBody, maxBodyBytes } from "./body-limit";
import { inTurn } from "./in-turn";
import { RateLimitError, takePageOfAddress } from "./rate-limit";
import { toHeaders } from "./request-headers";
import { type Content, toSecurityHeaders } from "./security-headers";

/**
 * The gate in front of Next: refuses requests that may not reach a page or a route, and sets the security headers of every
 * answer. Here and not in a proxy of Next, which sees `x-forwarded-*` that Next adds, and costs every request a second one.
 * An answer of which the reader took nothing for `stalledMs` is ended.
 */
export const guardListener = (
  handle: RequestListener,
  { stalledMs = 60_000, bodyBytes = maxBodyBytes } = {},
): RequestListener =>
  inTurn((request, response) => {
    // What is read for an answer stays in memory until its reader has taken it.
    response.setTimeout(stalledMs, () => {
      if (response.writableLength > 0) response.destroy();
    });
    const [pathname = ""] = (request.url ?? "").split("?");
    const isStatic = pathname.startsWith("/_next/static/");
    const content: Content =
      isStatic || isApiPath(pathname)
        ? { type: "data" }
        : { type: "page", nonce: randomUUID(), isEmbeddable: pathname.startsWith("/embed/") };
    const headers = toSecurityHeaders(content);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (isApiPath(pathname)) response.setHeader("cache-control", "no-store");
    request.headers[addressHeader] = toClientAddress(request.socket.remoteAddress, readForwardedFor(request));
    const answer = findDotSegment(pathname) ?? (isStatic ? null : answerBeforeNext(request, content));
    if (answer) {
      void send(answer, response);
      return;
    }
    if (declaresMore(request, bodyBytes)) {
      void send(refuseBody(bodyBytes), response);
      return;
    }
    limitBody(request, bodyBytes, () => {
      response.once("close", () => request.destroy());
      if (response.headersSent) response.destroy();
      else void send(refuseBody(bodyBytes), response);
    });
    // Next takes the nonce of its scripts from the policy of the request; the layout takes it from `x-nonce`.
    if (content.type === "page") {
      request.headers[pathHeader] = request.url;
      request.headers["x-nonce"] = content.nonce;
      request.headers["content-security-policy"] = headers["content-security-policy"];
    }
    asLoopWork({ route: toRoute(request.method ?? "GET", pathname) }, () => {
      if (isReading(request)) handle(request, response);
      else void waitForTurn("request").then(() => handle(request, response));
    });
  });

/** The connection ends with the answer: the rest of the body is not read. */
function refuseBody(limit: number): Response {
  const answer = toErrorResponse(new AppError("too_large", `The body is larger than ${limit} bytes.`));
  answer.headers.set("connection", "close");
  return answer;
}

/** The header in which pages find their own address, with its query. */
export const pathHeader = "x-path";

const readForwardedFor = (request: IncomingMessage): string | undefined =>
  request.headersDistinct["x-forwarded-for"]?.join(",");

/** Requests that only read do not wait for others: however many come to change something, pages and health checks are answered. */
const isReading = ({ method }: IncomingMessage): boolean => method === "GET" || method === "HEAD";

/** Next resolves `..`, also encoded: what is judged here must be what is served there. Browsers and URLs resolve it themselves. */
const findDotSegment = (pathname: string): Response | null =>
  /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)|\\/i.test(pathname)
    ? refuse(400, "Expected an address without the segments . and .., and without backslashes.")
    : null;

function answerBeforeNext(request: IncomingMessage, content: Content): Response | null {
  const { method = "GET", url = "" } = request;
  // No `Request` can have this method: Next would throw before any code of the app runs.
  if (method === "TRACE")
    return refuse(405, "The method TRACE is not answered.", { allow: "GET, HEAD, POST, PUT, DELETE, OPTIONS" });
  if (!url.startsWith("/"))
    return refuse(400, `Expected an address that begins with a slash, found "${url.slice(0, 100)}".`);
  try {
    const headers = toHeaders(request);
    if (content.type === "page") takePageOfAddress(headers);
    return answerAtGate({ method, url: `http://${authority}${url}`, headers });
  } catch (error) {
    if (error instanceof RateLimitError)
      return refuse(429, error.message, { "retry-after": String(error.allowance.resetSeconds) });
    logger.warn({ err: error, method }, "request could not be read");
    return refuse(400, "This request cannot be read.");
  }
}

/** The host of the addresses built here; the real one is in the request's headers, and checked there. */
const authority = "127.0.0.1";

const refuse = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  new Response(`${message}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers } });

async function send(answer: Response, response: ServerResponse): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  response.writeHead(answer.status, { "content-length": body.byteLength });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
