import "server-only";
import { Agent, fetch } from "undici";
import { type Guard, parseHttpUrl, pinTo, resolveTarget } from "./guard";
import { type CappedBody, readCapped } from "./read-capped";

export interface GuardedRequest {
  url: string | URL;
  method: string;
  headers: Headers;
  body?: string | undefined;
}

export interface GuardedAnswer extends CappedBody {
  status: number;
  /** Where the answer came from, after all redirects. */
  url: URL;
  headers: Headers;
}

export interface RequestLimits {
  /** Bytes of the answer, unpacked. */
  bytes: number;
  /** For everything: names, redirects, the whole body. */
  milliseconds: number;
  redirects: number;
}

export const requestLimits: RequestLimits = { bytes: 1_000_000, milliseconds: 20_000, redirects: 5 };

/**
 * One request as fetch does it, for addresses that the guard lets through: it connects to the very addresses that were
 * checked, and checks each redirect anew. To another origin go only headers that can hold no secret.
 * @throws Error in plain words; the signal's reason when it was aborted.
 */
export async function requestGuarded(
  request: GuardedRequest,
  { guard, signal, limits = requestLimits }: { guard: Guard; signal: AbortSignal; limits?: RequestLimits },
): Promise<GuardedAnswer> {
  const timeout = AbortSignal.timeout(limits.milliseconds);
  const stop = AbortSignal.any([signal, timeout]);
  try {
    return await untilAborted(followRedirects(request, guard, stop, limits), stop);
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) throw new Error(`there was no whole answer within ${limits.milliseconds / 1000} s`);
    throw error instanceof Error && error.cause instanceof Error
      ? new Error(`the request failed: ${error.cause.message}`)
      : error;
  }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
  );
  return Promise.race([work, aborted]);
}

async function followRedirects(
  initialRequest: GuardedRequest,
  guard: Guard,
  signal: AbortSignal,
  limits: RequestLimits,
): Promise<GuardedAnswer> {
  let request = initialRequest;
  for (let redirects = 0; redirects <= limits.redirects; redirects++) {
    const answer = await send(request, guard, signal, limits.bytes);
    const location = findLocation(answer);
    if (location === null) return answer;
    request = redirect({ ...request, url: answer.url }, answer.status, location);
  }
  throw new Error(`there were more than ${limits.redirects} redirects; the last one led to ${request.url}`);
}

async function send(
  { url: requestUrl, method, headers, body }: GuardedRequest,
  guard: Guard,
  signal: AbortSignal,
  limit: number,
): Promise<GuardedAnswer> {
  const url = parseHttpUrl(requestUrl);
  const addresses = await resolveTarget(url, guard);
  signal.throwIfAborted();
  const agent = new Agent({ connect: { lookup: pinTo(addresses) } });
  try {
    const response = await fetch(url, {
      method,
      headers: [...headers],
      redirect: "manual",
      dispatcher: agent,
      signal,
      ...(body !== undefined && { body }),
    });
    const answer = { status: response.status, url, headers: new Headers([...response.headers]) };
    if (findLocation(answer) === null) return { ...answer, ...(await readCapped(response.body, limit)) };
    return { ...answer, bytes: new Uint8Array(), isCut: false };
  } finally {
    await agent.destroy();
  }
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

const findLocation = ({ status, headers }: { status: number; headers: Headers }): string | null =>
  redirectStatuses.has(status) ? headers.get("location") : null;

/** Headers that go along to another origin. Any other may hold a key, whatever it is called. */
const harmless = new Set(["accept", "accept-language", "content-language", "content-type", "user-agent"]);

/** The next request after a redirect, by the rules of fetch (whatwg, "HTTP-redirect fetch"). */
export function redirect(request: GuardedRequest, status: number, location: string): GuardedRequest {
  const redirectingUrl = new URL(request.url);
  const url = parseHttpUrl(location, redirectingUrl);
  const becomesGet =
    status === 303
      ? request.method !== "GET" && request.method !== "HEAD"
      : (status === 301 || status === 302) && request.method === "POST";
  const headers = new Headers(
    [...request.headers].filter(
      ([name]) =>
        (url.origin === redirectingUrl.origin || harmless.has(name)) && !(becomesGet && name.startsWith("content-")),
    ),
  );
  return becomesGet ? { url, method: "GET", headers } : { ...request, url, headers };
}
