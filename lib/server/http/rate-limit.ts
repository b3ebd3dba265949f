import "server-only";
import { AppError } from "../app-error";
import { localViewer, type Viewer } from "../auth/viewer";
import { getEnv } from "../env";
import { readVisitorAddress } from "../net/client-address";

/** What is left of a limit. */
export interface Allowance {
  limit: number;
  remaining: number;
  /** When the limit is whole again, in seconds from now. */
  resetSeconds: number;
}

interface CountedMinute {
  count: number;
  endsAt: number;
}

const minuteMs = 60_000;
/** Clients that are counted at the same time; of more the oldest are forgotten. */
const mostClients = 50_000;

/** Counts requests by client, each in minutes that begin with its first request. */
export class RateCounter {
  readonly #minutes = new Map<string, CountedMinute>();

  /** Counts one. Throws AppError `rate_limited` once there are more than `limit` in a minute. */
  take(client: string, limit: number, now = Date.now()): Allowance {
    const known = this.#minutes.get(client);
    const minute = known && known.endsAt > now ? known : { count: 0, endsAt: now + minuteMs };
    minute.count++;
    if (minute !== known) this.#add(client, minute, now);
    const resetSeconds = Math.ceil((minute.endsAt - now) / 1000);
    if (minute.count > limit) throw new RateLimitError({ limit, remaining: 0, resetSeconds });
    return { limit, remaining: limit - minute.count, resetSeconds };
  }

  /** The map is in the order in which minutes began: those that ended are in front. */
  #add(client: string, minute: CountedMinute, now: number): void {
    this.#minutes.delete(client);
    this.#minutes.set(client, minute);
    for (const [oldClient, { endsAt }] of this.#minutes) {
      if (endsAt > now && this.#minutes.size <= mostClients) return;
      this.#minutes.delete(oldClient);
    }
  }
}

/** Too many requests in a minute. */
export class RateLimitError extends AppError {
  constructor(readonly allowance: Allowance) {
    const { limit, resetSeconds } = allowance;
    const message = `More than ${limit} requests of this kind in a minute. Try again in ${resetSeconds} s.`;
    super("rate_limited", message, undefined, resetSeconds);
  }
}

declare global {
  /** Global because the bundles of a process share one. */
  var swarmloomRates: { requests: RateCounter; runs: RateCounter } | undefined;
}

function getCounters() {
  globalThis.swarmloomRates ??= { requests: new RateCounter(), runs: new RateCounter() };
  return globalThis.swarmloomRates;
}

/** Addresses below `/api/v1` that start runs when they are posted to. */
const runStart = /^\/api\/v1\/(flows\/[^/]+\/runs|runs\/[^/]+\/(again|fork|retry|what-if)|orchestrate)$/;

export const startsRun = ({ method, url }: Pick<Request, "method" | "url">): boolean =>
  method === "POST" && runStart.test(new URL(url).pathname);

/** Counts a request of a viewer; null: it is not limited, as the one person of local mode. Throws RateLimitError. */
export function takeOfViewer({ id }: Viewer, request: Pick<Request, "method" | "url">): Allowance | null {
  if (id === localViewer.id) return null;
  const { SWARMLOOM_RATE_LIMIT: limit, SWARMLOOM_RATE_LIMIT_RUNS: runLimit } = getEnv();
  const { requests, runs } = getCounters();
  const allowance = limit === 0 ? null : requests.take(`viewer ${id}`, limit);
  return runLimit > 0 && startsRun(request) ? runs.take(`viewer ${id}`, runLimit) : allowance;
}

/** Runs that visitors of links start in a minute from one address: half of those of a link, so that others have some. */
const addressRunsPerMinute = 5;

/** Counts the start of a run by a visitor without an account. Throws RateLimitError. */
export function takeRunOfAddress(headers: Headers): void {
  const { SWARMLOOM_RATE_LIMIT_RUNS: limit } = getEnv();
  const address = readVisitorAddress(headers);
  if (limit > 0 && address !== undefined)
    getCounters().runs.take(`address ${address}`, Math.min(limit, addressRunsPerMinute));
}

/** Runs that all visitors of one link start in a minute, from whatever addresses. */
const linkRunsPerMinute = 10;

/** Counts the start of a run by a visitor of a link. Throws RateLimitError. */
export const takeRunOfLink = (linkId: string): Allowance =>
  getCounters().runs.take(`link ${linkId}`, linkRunsPerMinute);

/** Checks of answers by a schema that one viewer makes in a minute: each may take two seconds of a processor. */
const answerChecksPerMinute = 120;

/** Counts a check of an answer. Throws RateLimitError. */
export function takeAnswerCheck({ id }: Viewer): void {
  if (id === localViewer.id || getEnv().SWARMLOOM_RATE_LIMIT === 0) return;
  getCounters().requests.take(`answer checks of ${id}`, answerChecksPerMinute);
}

/** Counts a request without a viewer by its address; null: it is not limited, as those of this machine. Throws RateLimitError. */
export function takeOfAddress(headers: Headers): Allowance | null {
  const { SWARMLOOM_RATE_LIMIT: limit } = getEnv();
  const address = readVisitorAddress(headers);
  return limit === 0 || address === undefined ? null : getCounters().requests.take(`address ${address}`, limit);
}

/** A page fetches others before they are opened, and the people of an office share an address. */
const pagesPerRequest = 5;

/** Counts a request for a page by its address. Throws RateLimitError. */
export function takePageOfAddress(headers: Headers): void {
  const limit = getEnv().SWARMLOOM_RATE_LIMIT * pagesPerRequest;
  const address = readVisitorAddress(headers);
  if (limit > 0 && address !== undefined) getCounters().requests.take(`pages ${address}`, limit);
}

/** The headers that tell a client what is left. */
export const toRateHeaders = ({ limit, remaining, resetSeconds }: Allowance): Record<string, string> => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(resetSeconds),
});
