import type { RunEvent } from "./events";
import { OpenWork } from "./open-work";

/**
 * How long a run has worked, across all processes that drive it. Time in which it only waited for a person, was paused or
 * waited for its turn does not count. Follows the run's events.
 */
export class WorkClock {
  readonly #work = new OpenWork();
  #countedMs = 0;
  #lastAt: number | null = null;

  take(event: RunEvent): void {
    if (this.#lastAt !== null && event.type !== "run.resumed") this.#countedMs += this.#openMs(event.at);
    this.#lastAt = event.at;
    this.#work.take(event);
  }

  /** Whether nothing of the run happens before a person answers. */
  get isOnlyWaiting(): boolean {
    return this.#work.isOnlyWaiting;
  }

  /** The milliseconds until `now`, which is in milliseconds since the epoch. */
  workedMs(now: number): number {
    return this.#countedMs + this.#openMs(now);
  }

  #openMs(now: number): number {
    return this.isOnlyWaiting || this.#lastAt === null ? 0 : Math.max(now - this.#lastAt, 0);
  }
}
