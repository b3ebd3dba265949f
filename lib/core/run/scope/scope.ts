import type { RunError } from "../events/events";
import type { RunContext } from "../ports/run-context";

/** Why work ends before it is done. */
export class ScopeStop {
  constructor(
    readonly status: "CANCELLED" | "TIMEOUT" | "FAILED",
    readonly error: RunError,
  ) {}
}

/** Why a time limit needs no waiting any more. One for all: each abort would make an error of its own. */
const closed = new Error("What was to be stopped has ended.");

/** The longest wait that timers of JavaScript can do, in milliseconds: about 24.8 days. */
const longestTimer = 2 ** 31 - 1;

/**
 * A part of a run that is stopped as one: the run, the members of a parallel stage, an agent with a time limit, one model
 * or tool call. Stopping it stops every scope inside; closing it forgets it. Cheaper than chained AbortSignals, and no
 * listener stays behind: an AbortSignal exists only where an outside call asks for one.
 */
export class CancelScope {
  #stop: ScopeStop | null = null;
  #inner: Set<CancelScope> | null = null;
  #waiting: ((stop: ScopeStop) => void)[] = [];
  #controller: AbortController | null = null;
  #timer: AbortController | null = null;
  readonly #outer: CancelScope | null;

  constructor(outer: CancelScope | null = null) {
    this.#outer = outer;
    if (!outer) return;
    this.#stop = outer.#stop;
    outer.#inner ??= new Set();
    outer.#inner.add(this);
  }

  /** Why this scope was stopped; null while it was not. The first reason stays. */
  get stop(): ScopeStop | null {
    return this.#stop;
  }

  /** Aborted when the scope is stopped, with an Error that says why. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#stop) this.#controller.abort(toReason(this.#stop));
    return this.#controller.signal;
  }

  open(): CancelScope {
    return new CancelScope(this);
  }

  /** Ends its time limit and cuts it off from the scope round it. What runs inside must have ended. */
  close(): void {
    if (this.#outer) this.#outer.#inner?.delete(this);
    this.#timer?.abort(closed);
  }

  stopBecause(stop: ScopeStop): void {
    const waiting: CancelScope[] = [this];
    for (let scope = waiting.pop(); scope; scope = waiting.pop()) {
      if (scope.#stop) continue;
      scope.#stop = stop;
      for (const inner of scope.#inner ?? []) waiting.push(inner);
      for (const resolve of scope.#waiting) resolve(stop);
      scope.#controller?.abort(toReason(stop));
    }
  }

  /** Stops the scope after `seconds`, unless it is closed before. At most once a scope. */
  stopAfter(seconds: number, stop: ScopeStop, sleep: RunContext["sleep"]): void {
    this.#timer = new AbortController();
    sleep(Math.min(seconds * 1000, longestTimer), this.#timer.signal).then(
      () => this.stopBecause(stop),
      () => undefined,
    );
  }

  /** What `work` gives or throws; or, as soon as the scope is stopped, the Stop, whatever `work` does then. */
  guard<T>(work: Promise<T>): Promise<T | ScopeStop> {
    return new Promise((resolve, reject) => {
      if (this.#stop) resolve(this.#stop);
      this.#waiting.push(resolve);
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(resolve), 1);
      };
      work.then(
        (value) => {
          leave();
          resolve(value);
        },
        (error) => {
          leave();
          reject(error);
        },
      );
    });
  }
}

function toReason(stop: ScopeStop): Error {
  const reason = new Error(stop.error.message);
  reason.name = stop.status === "TIMEOUT" ? "TimeoutError" : "AbortError";
  return reason;
}
