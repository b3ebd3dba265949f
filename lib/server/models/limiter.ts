import "server-only";
import { Fifo } from "@/lib/core/run/events/fifo";

/** How much a provider is asked at most. Missing: as much as runs want. */
export interface ProviderLimits {
  /** Calls at the same time. */
  concurrency?: number | undefined;
  /** Calls begun within any 60 seconds. */
  perMinute?: number | undefined;
}

const minute = 60_000;

/** Lets calls of one provider through, first come first served, as its limits allow. */
export class Limiter {
  readonly #waiting = new Fifo<{ enter(): void; isGone(): boolean }>();
  /** When the calls of the last minute began, in milliseconds. */
  readonly #begun = new Fifo<number>();
  #running = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(readonly limits: ProviderLimits) {}

  /** Resolves when the call may go out; call what it gives once the call has ended. Rejects when the signal is aborted. */
  admit(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      this.#waiting.push({ enter: () => resolve(this.#enter()), isGone: () => signal.aborted });
      this.#letIn();
    });
  }

  #enter(): () => void {
    this.#running++;
    this.#begun.push(Date.now());
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#running--;
      this.#letIn();
    };
  }

  #letIn(): void {
    for (let next = this.#waiting.peek(); next; next = this.#waiting.peek()) {
      if (!next.isGone()) {
        if (this.#running >= (this.limits.concurrency ?? Number.POSITIVE_INFINITY)) return;
        const pause = this.#pause();
        if (pause > 0) {
          this.#timer ??= setTimeout(() => {
            this.#timer = undefined;
            this.#letIn();
          }, pause);
          return;
        }
        next.enter();
      }
      this.#waiting.shift();
    }
  }

  /** Milliseconds until another call may begin. */
  #pause(): number {
    const { perMinute } = this.limits;
    if (perMinute === undefined) return 0;
    const now = Date.now();
    while ((this.#begun.peek() ?? now) <= now - minute) this.#begun.shift();
    return this.#begun.length < perMinute ? 0 : (this.#begun.peek() ?? now) + minute - now;
  }
}
