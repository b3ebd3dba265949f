import { webcrypto } from "node:crypto";

/** The clocks, timers and random numbers of the platform, taken before any simulation replaces them. */
export const real = {
  Date,
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  setImmediate,
  clearImmediate,
  random: Math.random,
  performanceNow: performance.now.bind(performance),
  getRandomValues: webcrypto.getRandomValues.bind(webcrypto),
  randomUUID: webcrypto.randomUUID.bind(webcrypto),
};

/** Resolves when everything that waits for nothing outside of the code has gone on. */
export const waitForRealTurn = (): Promise<void> => new Promise((resolve) => void real.setImmediate(resolve));
