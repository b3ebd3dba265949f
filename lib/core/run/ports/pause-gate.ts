/**
 * Holds a run back before its next step while that is requested. What has begun goes on to its end; once nothing is
 * under way, the engine records that the run is paused, and its program drops the engine.
 */
export class PauseGate {
  #isRequested = false;
  #isPaused = false;
  #isChecking = false;
  /** Model and tool calls under way. */
  #working = 0;
  /** Questions to people that are open. */
  #asking = 0;
  readonly #held = new Set<() => void>();
  #engine: PausingEngine | null = null;

  get isRequested(): boolean {
    return this.#isRequested;
  }

  /** No further step begins. */
  request(): void {
    this.#isRequested = true;
    this.#check();
  }

  /** Lets the run go on. Without effect once it is paused: it is resumed from its journal. */
  release(): void {
    if (this.#isPaused) return;
    this.#isRequested = false;
    for (const letGo of this.#held) letGo();
    this.#held.clear();
  }

  /** Called by the engine once, when the run begins. */
  open(engine: PausingEngine): void {
    this.#engine = engine;
  }

  /** Called by the engine when the run has ended: it is not paused any more. */
  close(): void {
    this.#engine = null;
  }

  /** Resolves when a step may begin. */
  pass(): Promise<void> {
    if (!this.#isRequested) return Promise.resolve();
    const held = new Promise<void>((resolve) => this.#held.add(resolve));
    this.#check();
    return held;
  }

  /** A call to the outside begins; it is under way until `endWork`. */
  beginWork(): void {
    this.#working++;
  }

  endWork(): void {
    this.#working--;
    this.#check();
  }

  /** The call under way only waits for a person meanwhile. */
  async suspendWork<T>(wait: () => Promise<T>): Promise<T> {
    this.#working--;
    try {
      return await wait();
    } finally {
      this.#working++;
    }
  }

  /** Counts a question to a person as open until it is answered. */
  async ask<T>(wait: () => Promise<T>): Promise<T> {
    this.#asking++;
    this.#check();
    try {
      return await wait();
    } finally {
      this.#asking--;
    }
  }

  get #isQuiet(): boolean {
    return this.#isRequested && !this.#isPaused && this.#working === 0 && this.#held.size + this.#asking > 0;
  }

  #check(): void {
    if (this.#isChecking || !this.#isQuiet) return;
    this.#isChecking = true;
    // Steps around those that have just ended end first.
    void this.#engine?.settled().then(() => {
      this.#isChecking = false;
      if (!this.#engine || !this.#isQuiet) return;
      this.#isPaused = true;
      this.#engine.pauseRun();
    });
  }
}

/** What the gate needs of the engine. */
interface PausingEngine {
  /** Resolves when the consumer has processed every event so far. */
  settled(): Promise<void>;
  /** Records that the run is paused. */
  pauseRun(): void;
}
