/** Time for tests: it stands still until `advance` moves it to the next moment at which somebody wakes up. */
export class VirtualClock {
  #now = 0;
  #sleepers: { until: number; wake: () => void }[] = [];

  readonly now = (): number => this.#now;

  readonly sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const sleeper = { until: this.#now + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      const leave = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
    });

  /** How many sleep. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Wakes whoever sleeps shortest. False: nobody sleeps. */
  advance(): boolean {
    if (this.#sleepers.length === 0) return false;
    this.#now = this.#sleepers.reduce((least, { until }) => Math.min(least, until), Number.POSITIVE_INFINITY);
    const awake = this.#sleepers.filter(({ until }) => until <= this.#now);
    this.#sleepers = this.#sleepers.filter(({ until }) => until > this.#now);
    for (const { wake } of awake) wake();
    return true;
  }
}
