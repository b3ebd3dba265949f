/** Measures how long the event loop was held up, in milliseconds, until `stop` is called. */
export function watchEventLoop(everyMs = 5): { stop(): { longest: number; median: number } } {
  const delays: number[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    delays.push(now - last - everyMs);
    last = now;
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      delays.push(performance.now() - last - everyMs);
      const sorted = delays.toSorted((a, b) => a - b);
      return { longest: sorted.at(-1) ?? 0, median: sorted[sorted.length >> 1] ?? 0 };
    },
  };
}
