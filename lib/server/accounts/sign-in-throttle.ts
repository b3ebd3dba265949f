import "server-only";
import { APIError } from "better-auth/api";

/** So many wrong passwords for one account are answered in so long, in milliseconds; from wherever they come. */
const [mostFailures, windowMs] = [10, 15 * 60_000];
/** Addresses that are remembered; the oldest are forgotten. */
const mostRemembered = 10_000;

interface Failures {
  count: number;
  /** When they are forgotten, in milliseconds since the epoch. */
  until: number;
}

const failuresOf = new Map<string, Failures>();

const toKey = (email: string): string => email.trim().toLowerCase().slice(0, 320);

/** Throws APIError 429 when too many wrong passwords were tried for an e-mail address. */
export function assertNotThrottled(email: string, now = Date.now()): void {
  const failures = failuresOf.get(toKey(email));
  if (!failures || failures.until <= now || failures.count < mostFailures) return;
  throw new APIError("TOO_MANY_REQUESTS", {
    code: "TOO_MANY_FAILURES",
    message: `Too many wrong passwords. Try again in ${Math.ceil((failures.until - now) / 60_000)} minutes, or set a new password.`,
  });
}

/** Counts a wrong password, and forgets them all after a right one. */
export function recordSignIn(email: string, { succeeded }: { succeeded: boolean }, now = Date.now()): void {
  const key = toKey(email);
  const failures = failuresOf.get(key);
  failuresOf.delete(key);
  if (succeeded) return;
  const isOver = !failures || failures.until <= now;
  failuresOf.set(key, isOver ? { count: 1, until: now + windowMs } : { ...failures, count: failures.count + 1 });
  const [oldest] = failuresOf.keys();
  if (failuresOf.size > mostRemembered && oldest !== undefined) failuresOf.delete(oldest);
}
