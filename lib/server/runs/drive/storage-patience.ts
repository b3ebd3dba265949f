import "server-only";
import type { RunContext } from "@/lib/core/run/ports/run-context";
import { isDatabaseError, isTemporaryFault, retryPatiently } from "../../db";

interface PatienceOptions {
  sleep: RunContext["sleep"];
  /** Milliseconds of a monotonic clock. */
  monotonicNow(): number;
  /** How long a database whose file or disk is damaged is attempted again, in milliseconds. */
  patienceMs: number;
  /** Whether the result is not needed any more: the fault is thrown then. */
  isObsolete(): boolean;
}

/**
 * Repeats `attempt`, which may be performed more than once, while the database does not do its work: what was accepted
 * waits until it does. Throws all other errors at once.
 */
export function retryWhileAway<Result>(
  attempt: () => Promise<Result>,
  { sleep, monotonicNow, patienceMs, isObsolete }: PatienceOptions,
): Promise<Result> {
  const deadline = monotonicNow() + patienceMs;
  const { signal } = new AbortController();
  return retryPatiently(attempt, {
    mayHelp: (error) =>
      !isObsolete() && (isTemporaryFault(error) || (isDatabaseError(error) && monotonicNow() < deadline)),
    sleep: (ms) => sleep(ms, signal),
  });
}
