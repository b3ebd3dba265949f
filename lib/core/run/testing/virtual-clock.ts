/** Time for tests: it stops until `advance` moves it to the end of the shortest sleep. */
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
        this.#sleepers = this.#sleepers.filter((candidate) => candidate !== sleeper);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
    });

  /** Number of open sleeps. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Ends the shortest sleep, and others of that moment. False: there is none. */
  advance(): boolean {
    if (this.#sleepers.length === 0) return false;
    this.#now = this.#sleepers.reduce((least, { until }) => Math.min(least, until), Number.POSITIVE_INFINITY);
    const awake = this.#sleepers.filter(({ until }) => until <= this.#now);
    this.#sleepers = this.#sleepers.filter(({ until }) => until > this.#now);
    for (const { wake } of awake) wake();
    return true;
  }
}
