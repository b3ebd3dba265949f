const firstPauseMs = 500;
const longestPauseMs = 15_000;

/**
 * Loads code that is needed after the first render. Without a network, or while the server is down, it waits
 * and tries again, at once when the network is back: a missing part must not break the whole page.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  for (let pause = firstPauseMs; ; pause = Math.min(longestPauseMs, pause * 2)) {
    try {
      return await load();
    } catch {
      await waitForNetwork(pause);
    }
  }
}

function waitForNetwork(longestMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, longestMs);
    window.addEventListener("online", done);
  });
}
