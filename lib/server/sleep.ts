import "server-only";

/**
 * Resolves after `ms`; rejects with the signal's own reason when aborted. The platform's makes an error for each abort,
 * which costs more than the rest of a short tool call: most waits are time limits that are never reached.
 */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
