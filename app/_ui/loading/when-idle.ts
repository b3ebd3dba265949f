/** Longest wait for a quiet moment, in milliseconds. */
const longest = 2000;

/** Does something once the page has nothing better to do; the returned function calls it off. In the browser only. */
export function whenIdle(act: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(act, longest / 10);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(act, { timeout: longest });
  return () => cancelIdleCallback(request);
}
