import type { RunError } from "../events/events";
import type { RunContext } from "../ports/run-context";

/** Why work ended early. */
export class ScopeStop {
  constructor(
    readonly status: "CANCELLED" | "TIMEOUT" | "FAILED",
    readonly error: RunError,
  ) {}
}

/** Ends the wait of a time limit. One for all scopes: each abort would otherwise create an error. */
const scopeClosed = new Error("The scope with this time limit has ended.");

/** The longest wait of a JavaScript timer, in milliseconds: about 24.8 days. */
const longestTimer = 2 ** 31 - 1;

/**
 * Work that is stopped together: the run, the members of a parallel node, an agent with a time limit, one model or tool
 * call. Stopping a scope stops every scope inside it; closing it releases it. Cheaper than chained AbortSignals, and it
 * leaks no listeners: an AbortSignal is created only when a call to the outside needs one.
 */
export class CancelScope {
  #stop: ScopeStop | null = null;
  #children: Set<CancelScope> | null = null;
  #onStop: ((stop: ScopeStop) => void)[] = [];
  #controller: AbortController | null = null;
  #timer: AbortController | null = null;

  constructor(private readonly parent: CancelScope | null = null) {
    if (!parent) return;
    this.#stop = parent.#stop;
    parent.#children ??= new Set();
    parent.#children.add(this);
  }

  /** Why this scope was stopped; null while it was not. The first reason wins. */
  get stop(): ScopeStop | null {
    return this.#stop;
  }

  /** Aborted when the scope is stopped; its reason is an Error with the stop's message. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#stop) this.#controller.abort(toReason(this.#stop));
    return this.#controller.signal;
  }

  open(): CancelScope {
    return new CancelScope(this);
  }

  /** Ends its time limit and detaches it from its parent. Everything inside must have ended. */
  close(): void {
    if (this.parent) this.parent.#children?.delete(this);
    this.#timer?.abort(scopeClosed);
  }

  stopBecause(stop: ScopeStop): void {
    const waiting: CancelScope[] = [this];
    for (let scope = waiting.pop(); scope; scope = waiting.pop()) {
      if (scope.#stop) continue;
      scope.#stop = stop;
      for (const child of scope.#children ?? []) waiting.push(child);
      for (const notify of scope.#onStop) notify(stop);
      scope.#controller?.abort(toReason(stop));
    }
  }

  /** A time limit: stops the scope after `seconds`, unless it is closed before. At most once a scope. */
  stopAfter(seconds: number, error: RunError, sleep: RunContext["sleep"]): void {
    this.#timer = new AbortController();
    sleep(Math.min(seconds * 1000, longestTimer), this.#timer.signal).then(
      () => this.stopBecause(new ScopeStop("TIMEOUT", error)),
      () => undefined,
    );
  }

  /** Settles like `work`; or resolves with the stop as soon as the scope is stopped, even if `work` never settles. */
  guard<T>(work: Promise<T>): Promise<T | ScopeStop> {
    return new Promise((resolve, reject) => {
      if (this.#stop) resolve(this.#stop);
      this.#onStop.push(resolve);
      const unsubscribeAnd =
        <Result>(settle: (result: Result) => void) =>
        (result: Result): void => {
          this.#onStop.splice(this.#onStop.indexOf(resolve), 1);
          settle(result);
        };
      work.then(unsubscribeAnd(resolve), unsubscribeAnd(reject));
    });
  }
}

function toReason(stop: ScopeStop): Error {
  const reason = new Error(stop.error.message);
  reason.name = stop.status === "TIMEOUT" ? "TimeoutError" : "AbortError";
  return reason;
}
