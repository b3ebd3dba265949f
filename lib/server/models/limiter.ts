import "server-only";
import { Fifo } from "@/lib/core/run/events/fifo";

/** How much a provider is asked at most. Missing: as much as runs want. */
export interface ProviderLimits {
  /** Calls at the same time. */
  concurrency?: number | undefined;
  /** Calls begun within any 60 seconds. */
  perMinute?: number | undefined;
}

/** Calls that are under way, that began within the last minute, and that wait. */
export interface CallUse {
  running: number;
  begun: number;
  waiting: number;
}

interface WaitingCall {
  enter(): void;
  isGone: boolean;
}

const minute = 60_000;

/** Lets calls of one provider through, first come first served, as its limits allow, or this process's share in them. */
export class Limiter {
  readonly #waiting = new Fifo<WaitingCall>();
  /** When the calls of the last minute began, in milliseconds. */
  readonly #begun = new Fifo<number>();
  #share: ProviderLimits;
  #running = 0;
  #waitingCount = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Called after each change of what is used and what waits. */
  onUse: () => void = () => {};

  constructor(readonly limits: ProviderLimits) {
    this.#share = limits;
  }

  get use(): CallUse {
    this.#forgetOldStarts();
    return { running: this.#running, begun: this.#begun.length, waiting: this.#waitingCount };
  }

  /** How much of the limits may be used from now on. What is under way beyond it goes on. */
  setShare(share: ProviderLimits): void {
    this.#share = { ...this.#share, ...share };
    this.#letIn();
  }

  /** Resolves when the call may go out; call what it gives once the call has ended. Rejects when the signal is aborted. */
  admit(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const call: WaitingCall = {
        isGone: false,
        enter: () => {
          this.#waitingCount--;
          signal.removeEventListener("abort", leave);
          resolve(this.#enter());
        },
      };
      const leave = (): void => {
        call.isGone = true;
        this.#waitingCount--;
        reject(signal.reason);
        this.onUse();
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(call);
      this.#waitingCount++;
      this.#letIn();
      this.onUse();
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
      this.onUse();
    };
  }

  #letIn(): void {
    for (let next = this.#waiting.peek(); next; next = this.#waiting.peek()) {
      if (!next.isGone) {
        if (this.#running >= (this.#share.concurrency ?? Number.POSITIVE_INFINITY)) return;
        const pause = this.#pause();
        if (pause > 0) {
          clearTimeout(this.#timer);
          this.#timer = setTimeout(() => this.#letIn(), pause);
          return;
        }
        next.enter();
      }
      this.#waiting.shift();
    }
  }

  /** Milliseconds until another call may begin. */
  #pause(): number {
    const { perMinute } = this.#share;
    if (perMinute === undefined) return 0;
    this.#forgetOldStarts();
    return this.#begun.length < perMinute ? 0 : (this.#begun.peek() ?? Date.now()) + minute - Date.now();
  }

  #forgetOldStarts(): void {
    const now = Date.now();
    while ((this.#begun.peek() ?? now) <= now - minute) this.#begun.shift();
  }
}
