import type { RunLimits } from "../../flow/flow";
import { Fifo } from "../events/fifo";
import { type CancelScope, ScopeStop } from "./scope";

/** What a model call used, or may use at most. A cost that is not known counts as 0. */
export interface CallUse {
  tokens: number;
  cost: number;
}

export const noUse: CallUse = { tokens: 0, cost: 0 };

/** What a call may use, and what it uses in any case; the same where a limit of its answer makes the first certain. */
export interface CallEstimate {
  most: CallUse;
  least: CallUse;
}

const noEstimate: CallEstimate = { most: noUse, least: noUse };
/** For runs that limit neither cost nor tokens. */
export const toNoEstimate = (): CallEstimate => noEstimate;

/** A place among the running calls of a run, and its share of the budget. */
export interface Reservation {
  /** The call has ended and used this much. Only the first time counts. */
  settle(used: CallUse): void;
}

/** What a run may use. */
export interface RunBudget extends RunLimits {
  /** Model calls at the same time. */
  max_calls?: number | undefined;
}

interface QueuedCall {
  /** Made anew when the call may go out: more may be known by then. */
  estimate(): CallEstimate;
  isGone: boolean;
  reservation: Reservation | null;
  admit(reservation: Reservation): void;
}

/** A sum of costs that is above a limit by less than this part of it is rounding, not spending. */
const rounding = 1e-9;

/**
 * The budget of one run. Every call reserves what it may use before it goes out, so that calls at the same time cannot
 * overshoot a limit; what it used in fact takes the place of the reservation when it ends. A call that does not fit waits
 * for the running ones, first come first served. When none is running, it goes out alone if what it uses in any case
 * fits, and stops the run if not. No call holds a reservation while it waits for another one, so there is no deadlock.
 */
export class Budget {
  readonly #waiting = new Fifo<QueuedCall>();
  #used = noUse;
  #reserved = noUse;
  #running = 0;
  readonly #countsUse: boolean;

  constructor(
    readonly limits: RunBudget,
    readonly scope: CancelScope,
  ) {
    this.#countsUse = limits.max_tokens !== undefined || limits.max_cost !== undefined;
  }

  /** Whether what calls use has a limit: else no estimate is needed. */
  get countsUse(): boolean {
    return this.#countsUse;
  }

  /** Whether calls must reserve at all. */
  get isLimited(): boolean {
    return this.#countsUse || this.limits.max_calls !== undefined;
  }

  /** Resolves when the call may go out; or with the Stop, as soon as the call's scope is stopped. */
  async reserve(estimate: () => CallEstimate, scope: CancelScope): Promise<Reservation | ScopeStop> {
    const waiting: QueuedCall = { estimate, isGone: false, reservation: null, admit: () => undefined };
    const admitted = new Promise<Reservation>((resolve) => {
      waiting.admit = resolve;
    });
    this.#waiting.push(waiting);
    this.#admitNext();
    const result = await scope.guard(admitted);
    if (!(result instanceof ScopeStop)) return result;
    waiting.isGone = true;
    waiting.reservation?.settle(noUse);
    this.#admitNext();
    return result;
  }

  #admitNext(): void {
    for (let next = this.#waiting.peek(); next && !this.scope.stop; next = this.#waiting.peek()) {
      if (!next.isGone) {
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
      this.#waiting.shift();
    }
  }

  /** What keeps the call from going out now: running calls, or, as text, the limit that it can never meet. */
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

  /** A call may use more than was estimated. */
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

/** The lower of two limits, one by one: neither can raise the other. */
export function toLowest(a: RunLimits, b: RunLimits = {}): RunLimits {
  const lower = (one = Number.POSITIVE_INFINITY, other = Number.POSITIVE_INFINITY): number | undefined =>
    one === other && one === Number.POSITIVE_INFINITY ? undefined : Math.min(one, other);
  return {
    max_seconds: lower(a.max_seconds, b.max_seconds),
    max_tokens: lower(a.max_tokens, b.max_tokens),
    max_cost: lower(a.max_cost, b.max_cost),
  };
}

const add = (a: CallUse, b: CallUse, factor: 1 | -1 = 1): CallUse => ({
  tokens: a.tokens + factor * b.tokens,
  cost: a.cost + factor * b.cost,
});

const toAdvice = (limit: "max_tokens" | "max_cost"): string =>
  `Raise ${limit} under limits (a server may allow less), set a lower max_tokens for the agent, or ask for less.`;

const toDollars = (value = 0): string => `$${value.toFixed(value < 1 ? 4 : 2)}`;
