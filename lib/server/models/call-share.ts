import "server-only";
import { z } from "zod";
import { coalesce } from "../coalesce";
import { type Db, type Sql, sql } from "../db";
import { logger } from "../log/logger";
import type { Limiter } from "./limiter";

const limited = {
  /** Calls at the same time. */
  calls: { limit: "concurrency", use: "running", windowSeconds: 0 },
  /** Calls begun within a minute: others may count on those of a process that died only after it. */
  starts: { limit: "perMinute", use: "begun", windowSeconds: 60 },
} as const;
type LimitedUse = keyof typeof limited;
const limitedUses = ["calls", "starts"] as const satisfies readonly LimitedUse[];

export interface CallShareOptions {
  /** The owner in the leases of this process's runs. */
  process: string;
  provider: string;
  limiter: Limiter;
  leaseMs?: number;
  beatMs?: number;
  /** How often a share is asked for while calls wait. */
  pollMs?: number;
}

type Query = (statement: Sql) => PromiseLike<unknown>;

const rowsSchema = z.array(z.object({ share: z.number(), isShort: z.boolean() }));

/**
 * The share of this process in one limit that holds for all processes on a PostgreSQL. Calls go out within the share
 * without a look at the database; it grows before it is used up, and is given back where others have too little. It
 * ends with its lease, so that what a process held that died is free again.
 */
export class CallShare {
  readonly #limit: number;
  readonly #renewOnce = coalesce(
    () => this.#renew(),
    (error) => logger.warn({ err: error }, "the share in a provider's limit could not be renewed"),
  );
  #share = 0;
  /** Whether another process had too little when this one asked last. */
  #isShort = false;
  #asked = { share: 0, wanted: 0 };
  #timer: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #expiry: NodeJS.Timeout | undefined;

  constructor(
    private readonly query: Query,
    private readonly use: LimitedUse,
    private readonly options: CallShareOptions,
  ) {
    this.#limit = options.limiter.limits[limited[use].limit] ?? 0;
    this.#setShare(0);
  }

  get resource(): string {
    return `${this.options.provider} ${this.use}`;
  }

  /** Resolves when it has a share for its first calls, or the database did not give one. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#renewOnce(), this.options.beatMs ?? 1_000);
    this.#timer.unref();
    await this.#renewOnce();
  }

  async stop(): Promise<void> {
    for (const timer of [this.#timer, this.#poll, this.#expiry]) clearTimeout(timer);
    // Calls that began within the last minute count on.
    if (this.use === "calls")
      await this.query(
        sql`DELETE FROM "CallShare" WHERE "resource" = ${this.resource} AND "process" = ${this.options.process}`,
      );
  }

  /** Something was used, freed, or waits. */
  onUse(): void {
    const { used, waiting } = this.#use;
    const isNearlyUsedUp = used + waiting + this.#headroom / 2 > this.#share && this.#share < this.#limit;
    const hasWaiting = waiting > 0 && used >= this.#share;
    const mustGiveBack = this.#isShort && used >= this.#share;
    if (hasWaiting) this.#pollSoon();
    const isNews = this.#asked.share !== this.#share || this.#asked.wanted < used + waiting;
    if (mustGiveBack || (isNearlyUsedUp && isNews)) void this.#renewOnce();
  }

  get #use(): { used: number; waiting: number } {
    const { use } = this.options.limiter;
    return { used: use[limited[this.use].use], waiting: use.waiting };
  }

  /** What a process has beyond its use while no other one lacks it. */
  get #headroom(): number {
    return Math.ceil(this.#limit / 8);
  }

  #pollSoon(): void {
    this.#poll ??= setTimeout(() => {
      this.#poll = undefined;
      void this.#renewOnce().then(() => this.onUse());
    }, this.options.pollMs ?? 250);
    this.#poll.unref();
  }

  async #renew(): Promise<void> {
    const { process, leaseMs = 10_000 } = this.options;
    const { used, waiting } = this.#use;
    const spare = this.#isShort ? 0 : this.#headroom;
    const wanted = Math.min(this.#limit, used + waiting + spare);
    // Until the answer is there no more than this is used: another process may get the rest in this moment.
    const kept = Math.max(used, Math.min(this.#share, used + spare));
    this.#setShare(Math.min(this.#share, kept));
    const askedAt = performance.now();
    const seconds = limited[this.use].windowSeconds + leaseMs / 1_000;
    const statement = sql`SELECT * FROM "shareCalls"(${this.resource}, ${process}, ${this.#limit}::int, ${kept}::int, ${wanted}::int, ${used}::int, ${waiting}::int, ${seconds}::int)`;
    const [row] = rowsSchema.parse(await this.query(statement));
    if (!row) return;
    this.#isShort = row.isShort;
    this.#asked = { share: row.share, wanted };
    clearTimeout(this.#expiry);
    const restMs = leaseMs - (performance.now() - askedAt);
    this.#setShare(restMs > 0 ? row.share : 0);
    this.#expiry = setTimeout(() => this.#setShare(0), Math.max(0, restMs));
    this.#expiry.unref();
  }

  #setShare(share: number): void {
    this.#share = share;
    this.options.limiter.setShare({ [limited[this.use].limit]: share });
  }
}

/** The shares of this process in all limits on providers. */
export class CallShares {
  readonly #shares: readonly CallShare[];

  constructor(db: Pick<Db, "$queryRaw">, process: string, limiters: ReadonlyMap<string, Limiter>) {
    this.#shares = [...limiters].flatMap(([provider, limiter]) => {
      const own = limitedUses
        .filter((use) => limiter.limits[limited[use].limit] !== undefined)
        .map((use) => new CallShare((statement) => db.$queryRaw(statement), use, { process, provider, limiter }));
      limiter.onUse = () => {
        for (const share of own) share.onUse();
      };
      return own;
    });
  }

  /** Resolves when this process may make its first calls. */
  async start(): Promise<void> {
    await Promise.all(this.#shares.map((share) => share.start()));
  }

  /** Gives back what this process has. Never rejects. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.#shares.map((share) => share.stop()));
  }
}
