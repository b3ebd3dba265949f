import "server-only";
import type { ClientMessage } from "@/lib/core/live/messages";

/** A message as text; only updates, which are binary, may be longer. */
export const maxTextBytes = 1_000_000;
/** Positions, and the names of what is selected. */
export const maxPresenceBytes = 64_000;
/** Messages that wait for being handled. */
export const maxQueuedBytes = 16_000_000;

/** Allows bursts of `burst`, and `perSecond` in the long run. */
class Allowance {
  #left: number;
  #at = performance.now();

  constructor(
    private readonly burst: number,
    private readonly perSecond: number,
  ) {
    this.#left = burst;
  }

  /** Takes a number of units; more than a burst only where nothing was taken for long. */
  take(count = 1): boolean {
    this.#refill();
    if (this.#left < Math.min(count, this.burst)) return false;
    this.#left -= count;
    return true;
  }

  get isFull(): boolean {
    this.#refill();
    return this.#left >= this.burst;
  }

  #refill(): void {
    const now = performance.now();
    this.#left = Math.min(this.burst, this.#left + ((now - this.#at) / 1000) * this.perSecond);
    this.#at = now;
  }
}

/**
 * How often one editor may send what. An editor sends its presence 20 times a second at most; after a network that paused all
 * of it arrives at once.
 */
export const createMessageLimits = (): Record<ClientMessage["type"] | "update" | "message", Allowance> => ({
  /** Of any kind, before it is read. */
  message: new Allowance(4_000, 300),
  update: new Allowance(2_000, 200),
  presence: new Allowance(200, 40),
  join: new Allowance(10, 0.2),
  "refuse-late": new Allowance(10, 0.2),
  compare: new Allowance(10, 1),
  save: new Allowance(30, 2),
});

/** What one person may send, in all windows together. */
export interface PersonLimits {
  updates: Allowance;
  updateBytes: Allowance;
  /** Changes that are applied to a copy first. */
  rehearsals: Allowance;
}

/** The limits of people. A person who sent nothing for long is forgotten. */
export class LimitsOfPeople {
  readonly #limits = new Map<string, PersonLimits>();

  find(userId: string): PersonLimits {
    const limits = this.#limits.get(userId) ?? {
      updates: new Allowance(4_000, 250),
      updateBytes: new Allowance(4_000_000, 256_000),
      rehearsals: new Allowance(30, 1),
    };
    this.#limits.set(userId, limits);
    return limits;
  }

  tidy(): void {
    for (const [userId, { updates, updateBytes, rehearsals }] of this.#limits)
      if (updates.isFull && updateBytes.isFull && rehearsals.isFull) this.#limits.delete(userId);
  }
}
