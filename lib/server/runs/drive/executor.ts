import "server-only";
import { randomUUID } from "node:crypto";
import type { InboxMessage } from "@/lib/core/run/ports/inbox";
import type { ModelPort } from "@/lib/core/run/ports/model";
import type { RunContext } from "@/lib/core/run/ports/run-context";
import { type Db, getStorageFault, isDatabaseError, probeStorage } from "../../db";
import { getEnv } from "../../env";
import { logger } from "../../log/logger";
import { findModels } from "../../offer";
import { runWorld } from "../../run-world";
import { sleep } from "../../sleep";
import { endReaders } from "../store/notify-run";
import { endUnfinished } from "./end-unfinished";
import { cancelledAfterStop, cancelledEarly } from "./endings";
import { type Lease, LeaseObserver } from "./lease-observer";
import { RunDriver } from "./run-driver";

export interface ExecutorOptions {
  /** What the runs may touch of the world; the signal is the run's own. */
  context: Omit<RunContext, "signal">;
  concurrency: number;
  /** The models that the runs of a team find, as they are when a run starts; missing: those of `context`. */
  findModels?(teamId: string): ModelPort;
  leaseMs?: number;
  heartbeatMs?: number;
  rescueMs?: number;
  /** Milliseconds of a clock that no one sets. */
  monotonicNow?(): number;
}

/** How long shutting down waits for the database, and how long an owner that a lock kept from its heartbeat has to make up for it. */
const [shutDownMs, graceMs] = [5_000, 250];
const beatsPerProbe = 15;

/** Drives runs in this process: claims each by a lease, stores what happens, and takes over those of processes that died. */
export class Executor {
  readonly #owner = `${process.pid}-${randomUUID()}`;
  /** Runs that wait for their turn here, those of dead processes with the leases that have expired. */
  readonly #waiting = new Map<string, Lease | null>();
  readonly #driven = new Map<string, RunDriver>();
  readonly #observer: LeaseObserver;
  #timer: ReturnType<typeof setInterval> | undefined;
  #beating = false;
  #beats = 0;
  #isShutDown = false;
  readonly #leaseMs: number;
  readonly #heartbeatMs: number;

  constructor(
    private readonly db: Db,
    private readonly options: ExecutorOptions,
  ) {
    this.#leaseMs = options.leaseMs ?? 10_000;
    this.#heartbeatMs = options.heartbeatMs ?? 2_000;
    this.#observer = new LeaseObserver(this.#leaseMs, options.monotonicNow ?? (() => performance.now()));
  }

  start(): void {
    void this.beat();
    this.#timer = setInterval(() => void this.beat(), this.#heartbeatMs);
    this.#timer.unref();
  }

  /** Stops taking runs and heartbeats; other processes take those under way over once they see no heartbeat. */
  stop(): void {
    clearInterval(this.#timer);
    this.#waiting.clear();
  }

  /**
   * Takes no run any more and hands those under way back: they go on with the next start, or in another process.
   * Resolves when that is written, at the latest after 5 s. Never rejects.
   */
  async shutDown(): Promise<void> {
    this.#isShutDown = true;
    this.stop();
    const ends = Promise.allSettled([...this.#driven.values()].map((driver) => driver.handBack()));
    const limit = new AbortController();
    await Promise.race([ends, sleep(shutDownMs, limit.signal).catch(() => {})]);
    limit.abort();
  }

  /** `expiredLease`: of the process that drove the run until then. */
  enqueue(runId: string, expiredLease: Lease | null = null): void {
    if (this.#isShutDown || this.#driven.has(runId)) return;
    this.#waiting.set(runId, expiredLease);
    this.#fill();
  }

  /** Aborts the calls of a run that is driven here; its engine ends it as cancelled. */
  abort(runId: string): void {
    this.#driven.get(runId)?.cancel();
  }

  /** Stops a run that is waiting or being driven here; one driven elsewhere sees the flag in its row. */
  async cancel(runId: string): Promise<void> {
    if (this.#driven.has(runId)) return this.abort(runId);
    this.#waiting.delete(runId);
    const run = await this.db.run.findUnique({ where: { id: runId }, select: { startedAt: true } });
    const ending = run?.startedAt ? cancelledAfterStop : cancelledEarly;
    await endUnfinished(this.db, { runId, from: ["INIT"], ...ending });
  }

  /** Hands a stored answer to a run that is driven here; one driven elsewhere finds it at its next heartbeat. */
  async answer(runId: string): Promise<void> {
    await this.#driven.get(runId)?.people.collect();
  }

  /** Puts a message into the conversation of an agent at work; returns why not when it cannot be delivered. */
  tell(runId: string, message: InboxMessage): "accepted" | "not-driven" | "ended" {
    const driver = this.#driven.get(runId);
    if (!driver) return "not-driven";
    return driver.inbox.put(message) ? "accepted" : "ended";
  }

  /** Renews the leases of this process, applies cancel flags, writes what could not be written, and takes over what dead processes left. */
  async beat(): Promise<void> {
    if (this.#beating) return;
    this.#beating = true;
    try {
      // A disk that became full or read-only is noticed also while nothing runs.
      if (this.#beats++ % beatsPerProbe === 0) await probeStorage(this.db);
      await this.assertStorage();
      await this.#renew();
      await this.#sweep();
    } catch (error) {
      logger.error({ err: error }, "heartbeat failed");
    } finally {
      this.#beating = false;
    }
  }

  /**
   * Throws DatabaseError while the database does not take what runs produce. Writes only after a write failed: what
   * could not be written then, or a probe.
   */
  async assertStorage(): Promise<void> {
    if (getStorageFault()) await probeStorage(this.db);
    for (const [runId, driver] of this.#driven) {
      if (!driver.hasUnwrittenEnding) continue;
      await this.#end(runId, () => driver.writeEnding());
      this.#driven.delete(runId);
    }
  }

  /** One run that cannot be ended does not keep others from their end; a fault of the database concerns all. */
  async #end(runId: string, end: () => Promise<unknown>): Promise<void> {
    try {
      await end();
    } catch (error) {
      if (isDatabaseError(error)) throw error;
      logger.error({ err: error, run: runId }, "run could not be ended");
    }
  }

  async #renew(): Promise<void> {
    const claimed = [...this.#driven.values()].flatMap((driver) =>
      driver.claim ? { driver, claim: driver.claim } : [],
    );
    if (claimed.length === 0) return;
    const where = { id: { in: claimed.map(({ claim }) => claim.runId) }, owner: this.#owner };
    await this.db.run.updateMany({
      where: { ...where, status: { in: ["RUNNING", "WAITING"] } },
      data: { leaseUntil: new Date(this.options.context.now() + this.#leaseMs) },
    });
    const rows = await this.db.run.findMany({ where, select: { id: true, epoch: true, cancelRequested: true } });
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { driver, claim } of claimed) {
      const row = byId.get(claim.runId);
      if (row?.epoch !== claim.epoch) driver.lose();
      else if (row.cancelRequested) driver.cancel();
      await driver.people.collect();
    }
  }

  async #sweep(): Promise<void> {
    const unfinished = await this.db.run.findMany({
      where: { status: { in: ["RUNNING", "WAITING"] } },
      select: { id: true, owner: true, epoch: true, leaseUntil: true, cancelRequested: true },
    });
    const leases = unfinished.flatMap(({ id: runId, ...lease }) =>
      this.#driven.has(runId) ? [] : { runId, ...lease },
    );
    const expired = this.#observer.observe(leases);
    if (expired.length > 0) await this.#waitForOwners();
    for (const { cancelRequested, ...lease } of expired) {
      const { runId, owner } = lease;
      logger.warn({ run: runId, owner }, "no heartbeat of the owner: the run is taken over");
      if (cancelRequested) await this.#endCancelled(lease);
      else this.enqueue(runId, lease);
    }
    const forgotten = await this.db.run.findMany({
      where: { status: "INIT" },
      orderBy: { createdAt: "asc" },
      select: { id: true },
      take: 100,
    });
    for (const { id } of forgotten) this.enqueue(id);
  }

  async #endCancelled({ runId, ...lease }: Lease): Promise<void> {
    const from = ["RUNNING", "WAITING"] as const;
    await this.#end(runId, () => endUnfinished(this.db, { runId, from, lease, ...cancelledAfterStop }));
  }

  /** A lock of another program keeps owners from their heartbeats: resolves once the database can be written, and they had time to. */
  async #waitForOwners(): Promise<void> {
    await this.db.run.updateMany({ where: { id: "" }, data: { epoch: 0 } });
    await sleep(graceMs);
  }

  #fill(): void {
    // What cannot be stored is not begun: it waits until the database takes writes again.
    if (this.#isShutDown || getStorageFault()) return;
    for (const [runId, expiredLease] of this.#waiting) {
      // A run that waits for a person does no work: it frees its slot.
      const working = [...this.#driven.values()].filter(
        (driver) => !driver.people.isWaiting && !driver.hasUnwrittenEnding,
      );
      if (working.length >= this.options.concurrency) return;
      this.#waiting.delete(runId);
      this.#drive(runId, expiredLease);
    }
  }

  #drive(runId: string, expiredLease: Lease | null): void {
    const driver = new RunDriver(this.db, {
      runId,
      expiredLease,
      owner: this.#owner,
      leaseMs: this.#leaseMs,
      context: this.options.context,
      findModels: this.options.findModels,
      rescueMs: this.options.rescueMs ?? 60_000,
      onWaiting: () => this.#fill(),
    });
    this.#driven.set(runId, driver);
    void driver.drive().then(() => {
      if (!driver.hasUnwrittenEnding) this.#driven.delete(runId);
      this.#fill();
    });
  }
}

declare global {
  var swarmloomExecutor: Executor | undefined;
}

/** Starts this process's executor; one for all bundles of a process. */
export function startExecutor(db: Db): void {
  globalThis.swarmloomExecutor ??= new Executor(db, {
    concurrency: getEnv().SWARMLOOM_CONCURRENCY,
    context: runWorld,
    findModels,
  });
  globalThis.swarmloomExecutor.start();
}

/**
 * Ends this process's work on runs before it exits: takes no new ones, hands those under way back. Resolves when that is written, at the latest after 5 s. Never rejects.
 */
export async function shutDownExecutor(): Promise<void> {
  await globalThis.swarmloomExecutor?.shutDown();
  endReaders();
}

/** Throws while the database has not been opened yet. */
export function getExecutor(): Executor {
  if (!globalThis.swarmloomExecutor) throw new Error("the executor is not running: call startServices() first");
  return globalThis.swarmloomExecutor;
}
