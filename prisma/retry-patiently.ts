/** The waits between two attempts, in milliseconds. */
const waits = { first: 50, longest: 1_000 };

interface PatienceOptions {
  /** Whether another attempt, after a wait of so many milliseconds, may succeed: else the error is thrown. */
  mayHelp(error: unknown, waitMs: number): boolean;
  sleep(ms: number): Promise<unknown>;
}

/** Repeats `attempt`, with growing waits, for as long as that may help. */
export async function retryPatiently<Result>(
  attempt: () => Promise<Result>,
  { mayHelp, sleep }: PatienceOptions,
): Promise<Result> {
  for (let waitMs = waits.first; ; waitMs = Math.min(2 * waitMs, waits.longest)) {
    try {
      return await attempt();
    } catch (error) {
      if (!mayHelp(error, waitMs)) throw error;
    }
    await sleep(waitMs);
  }
}
