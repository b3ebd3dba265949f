import type { RunLimits } from "../flow/flow";
import { type Scope, Stop } from "./scope";
import { addUsage, noUsage, type Usage } from "./usage";

/** What a run may use. Reaching a limit stops the run with the reason; unknown costs are not counted. */
export class Budget {
  #used = noUsage;
  #cost = 0;

  constructor(
    readonly limits: RunLimits,
    readonly scope: Scope,
  ) {}

  /** Counts a model call that has ended. */
  spend(usage: Usage): void {
    const { max_tokens: tokens, max_cost: cost } = this.limits;
    if (tokens === undefined && cost === undefined) return;
    this.#used = addUsage(this.#used, usage);
    this.#cost += usage.cost ?? 0;
    const used = this.#used.input + this.#used.output;
    if (tokens !== undefined && used > tokens)
      this.#stop(`The run used ${used} tokens, more than its limit of ${tokens}. Raise max_tokens, or ask for less.`);
    if (cost !== undefined && this.#cost > cost)
      this.#stop(
        `The run cost ${toDollars(this.#cost)}, more than its limit of ${toDollars(cost)}. Raise max_cost, or ask for less.`,
      );
  }

  #stop(message: string): void {
    this.scope.stopBecause(new Stop("FAILED", { code: "limit", message }));
  }
}

const toDollars = (value: number): string => `$${value.toFixed(value < 1 ? 4 : 2)}`;
