import type { RunLimits } from "../../flow/flow";
import { Fifo } from "../events/fifo";
import { type CancelScope, ScopeStop } from "./cancel-scope";

/** What a model call used, or may use at most. An unknown cost counts as 0. */
export interface CallUse {
  tokens: number;
  cost: number;
}

export const noUse: CallUse = { tokens: 0, cost: 0 };

/** What a call uses at most and at least; both are equal when the length of its answer is limited. */
export interface CallEstimate {
  most: CallUse;
  least: CallUse;
}

/** For runs that limit neither cost nor tokens. */
export const noEstimate: CallEstimate = { most: noUse, least: noUse };

/** The right of one call to run, and its share of the budget. */
export interface Reservation {
  /** The call has ended and used this much. Only the first call of `settle` counts. */
  settle(used: CallUse): void;
}

/** The limits of a run. */
export interface RunBudget extends RunLimits {
  /** Model calls at the same time. */
  max_calls?: number | undefined;
}

interface QueuedCall {
  /** Called again whenever the call could start: by then more may be known. */
  estimate(): CallEstimate;
  isAbandoned: boolean;
  reservation: Reservation | null;
  admit(reservation: Reservation): void;
}

/** A sum of costs that exceeds its limit by less than this fraction is a rounding error. */
const rounding = 1e-9;

/**
 * The budget of one run. Every call reserves its maximum before it starts, so that concurrent calls cannot overshoot a
 * limit; its real usage replaces the reservation when it ends. A call that does not fit waits for the running ones, first
 * come, first served. When none is running, it starts alone if its minimum fits, and stops the run otherwise. No call
 * holds a reservation while it waits for another one, so there is no deadlock.
 */
export class Budget {
  readonly #queue = new Fifo<QueuedCall>();
  #used = noUse;
  #reserved = noUse;
  #running = 0;
  /** Whether tokens or cost are limited: otherwise no estimate is needed. */
  readonly countsUse: boolean;

  constructor(
    readonly limits: RunBudget,
    readonly scope: CancelScope,
  ) {
    this.countsUse = limits.max_tokens !== undefined || limits.max_cost !== undefined;
  }

  /** Whether calls must reserve at all. */
  get isLimited(): boolean {
    return this.countsUse || this.limits.max_calls !== undefined;
  }

  /** Resolves when the call may start; or with the stop, as soon as the call's scope is stopped. */
  async reserve(estimate: () => CallEstimate, scope: CancelScope): Promise<Reservation | ScopeStop> {
    const queuedCall: QueuedCall = { estimate, isAbandoned: false, reservation: null, admit: () => undefined };
    const admitted = new Promise<Reservation>((resolve) => {
      queuedCall.admit = resolve;
    });
    this.#queue.push(queuedCall);
    this.#admitNext();
    const result = await scope.guard(admitted);
    if (!(result instanceof ScopeStop)) return result;
    queuedCall.isAbandoned = true;
    queuedCall.reservation?.settle(noUse);
    this.#admitNext();
    return result;
  }

  /** Counts a call of an earlier executor. */
  charge(used: CallUse): void {
    this.#used = add(this.#used, used);
    this.#checkUsed();
  }

  #admitNext(): void {
    for (let next = this.#queue.peek(); next && !this.scope.stop; next = this.#queue.peek()) {
      if (!next.isAbandoned) {
        const estimate = next.estimate();
        const obstacle = this.#findObstacle(estimate);
        if (obstacle === "wait") return;
        if (obstacle !== null) {
          this.#stop(obstacle);
          return;
        }
        next.reservation = this.#take(estimate.most);
        next.admit(next.reservation);
      }
      this.#queue.shift();
    }
  }

  /** Why the call cannot start now: it must wait for running calls, or, as a message, it can never meet a limit. */
  #findObstacle({ most, least }: CallEstimate): "wait" | string | null {
    if (this.#running >= (this.limits.max_calls ?? Number.POSITIVE_INFINITY)) return "wait";
    if (this.#findExceeded(add(add(this.#used, this.#reserved), most)) === null) return null;
    if (this.#running > 0) return "wait";
    const { max_tokens: mostTokens, max_cost: mostCost } = this.limits;
    switch (this.#findExceeded(add(this.#used, least))) {
      case "max_tokens":
        return `The next model call may use ${least.tokens} tokens, and ${this.#used.tokens} of the run's limit of ${mostTokens} are used. ${toAdvice("max_tokens")}`;
      case "max_cost":
        return `The next model call may cost ${toDollars(least.cost)}, and ${toDollars(this.#used.cost)} of the run's limit of ${toDollars(mostCost)} is spent. ${toAdvice("max_cost")}`;
      case null:
        return null;
    }
  }

  #findExceeded({ tokens, cost }: CallUse): "max_tokens" | "max_cost" | null {
    const { max_tokens: mostTokens, max_cost: mostCost } = this.limits;
    if (mostTokens !== undefined && tokens > mostTokens) return "max_tokens";
    return mostCost !== undefined && cost > mostCost * (1 + rounding) ? "max_cost" : null;
  }

  #take(estimate: CallUse): Reservation {
    this.#running++;
    this.#reserved = add(this.#reserved, estimate);
    let isSettled = false;
    return {
      settle: (used) => {
        if (isSettled) return;
        isSettled = true;
        this.#running--;
        this.#reserved = this.#running === 0 ? noUse : add(this.#reserved, estimate, -1);
        this.#used = add(this.#used, used);
        this.#checkUsed();
        this.#admitNext();
      },
    };
  }

  /** A call may have used more than its estimate. */
  #checkUsed(): void {
    const exceeded = this.#findExceeded(this.#used);
    if (exceeded === null) return;
    const { max_tokens: mostTokens, max_cost: mostCost } = this.limits;
    const { tokens, cost } = this.#used;
    const message =
      exceeded === "max_tokens"
        ? `The run used ${tokens} tokens, more than its limit of ${mostTokens}.`
        : `The run cost ${toDollars(cost)}, more than its limit of ${toDollars(mostCost)}.`;
    this.#stop(`${message} ${toAdvice(exceeded)}`);
  }

  #stop(message: string): void {
    this.scope.stopBecause(new ScopeStop("FAILED", { code: "limit", message }));
  }
}

/** The lower value of each limit: neither side can raise the other. */
export function toLowest(limits: RunLimits, ceilings: RunLimits = {}): RunLimits {
  const lower = (limit?: number, ceiling?: number): number | undefined =>
    limit === undefined || ceiling === undefined ? (limit ?? ceiling) : Math.min(limit, ceiling);
  return {
    max_seconds: lower(limits.max_seconds, ceilings.max_seconds),
    max_tokens: lower(limits.max_tokens, ceilings.max_tokens),
    max_cost: lower(limits.max_cost, ceilings.max_cost),
  };
}

const add = (a: CallUse, b: CallUse, factor: 1 | -1 = 1): CallUse => ({
  tokens: a.tokens + factor * b.tokens,
  cost: a.cost + factor * b.cost,
});

const toAdvice = (limit: "max_tokens" | "max_cost"): string =>
  `Raise ${limit} under limits (a server may allow less), set a lower max_tokens for the agent, or ask for less.`;

const toDollars = (value = 0): string => `$${value.toFixed(value < 1 ? 4 : 2)}`;
