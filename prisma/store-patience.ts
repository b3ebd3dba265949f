import { type DatabaseError, isTemporaryFault } from "./database-error";
import { retryPatiently } from "./retry-patiently";
import type { FaultListener } from "./sqlite-adapter";

/** How long the store of runs repeats a write that its database does not take, in milliseconds. */
export const storePatienceMs = 60_000;

interface PatienceOptions {
  toFault(error: unknown): DatabaseError | null;
  /** Receives every fault, and null after a success. */
  onFault: FaultListener;
  patienceMs: number;
  isClosed(): boolean;
}

/** Repeats a write while its database is full, locked, read-only or unreachable. Throws its faults as `DatabaseError`. */
export function writePatiently<Result>(
  attempt: () => Result | Promise<Result>,
  { toFault, onFault, patienceMs, isClosed }: PatienceOptions,
): Promise<Result> {
  const deadline = performance.now() + patienceMs;
  const report = async (): Promise<Result> => {
    try {
      const result = await attempt();
      onFault(null);
      return result;
    } catch (error) {
      const fault = toFault(error);
      if (!fault) throw error;
      onFault(fault);
      throw fault;
    }
  };
  return retryPatiently(report, {
    mayHelp: (error, waitMs) => isTemporaryFault(error) && !isClosed() && performance.now() + waitMs <= deadline,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
}
