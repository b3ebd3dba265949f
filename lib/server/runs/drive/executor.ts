import "server-only";
import { randomUUID } from "node:crypto";
import type { RunContext } from "@/lib/core/run/ports/run-context";
import { coalesce } from "../../coalesce";
import type { OwnKeys } from "../../connections/personal-keys";
import { type Db, getRunStore, getStorageFault, isDatabaseError, probeStorage, type RunStore } from "../../db";
import { getEnv } from "../../env";
import { waitForTurn } from "../../event-loop-turns";
import { logger } from "../../log/logger";
import { asLoopWork } from "../../metrics/loop-holds";
import { findTeamWorld, runWorld } from "../../run-world";
import { sleep } from "../../sleep";
import { usesJobs } from "../queue/run-queue";
import { endReaders } from "../store/notify-run";
import { type ClaimedRun, claimExpiredRun, claimNextRun } from "./claim-run";
import { endUnfinished } from "./end-unfinished";
import { cancelledAfterStop, cancelledEarly, cancelledWhilePaused } from "./endings";
import { type Lease, LeaseObserver } from "./lease-observer";
import { RunDriver, type RunDriverOptions } from "./run-driver";

export interface ExecutorOptions {
  /** What the runs may touch of the world; the signal is the run's own. */
  context: Omit<RunContext, "signal">;
  concurrency: number;
  /** Runs of one team at the same time, in all processes; missing: any number. */
  teamConcurrency?: number | undefined;
  /** What the runs of a team use in place of what `context` has, as it is when a run starts. */
  findTeamWorld?(teamId: string, own: OwnKeys | null): Partial<RunContext>;
  /** Whether it takes runs from its start on; missing: it does. */
  takesRuns?: boolean;
  leaseMs?: number;
  heartbeatMs?: number;
  rescueMs?: number;
  /** Where what the runs produce is stored; missing: the store of this process. */
  store?: RunStore;
  /** Milliseconds of a clock that no one sets. */
  monotonicNow?(): number;
}

/** How long shutting down waits for the database, and how long an owner that a lock kept from its heartbeat has to make up for it. */
const [shutDownMs, graceMs] = [5_000, 250];
/** How often at least a driver looks at what its run was asked for by another process. */
const lookMs = 1_000;
const beatsPerProbe = 15;

/** Drives runs in this process: claims each by a lease, stores what happens, and takes over those of processes that died. */
export class Executor {
  /** In the leases of the runs that are driven here. */
  readonly owner = `${process.pid}-${randomUUID()}`;
  /** Whether it takes runs that wait for their turn, and those of processes that died. */
  takesRuns: boolean;
  /** Runs of dead processes that wait for a slot here, with the leases that have expired. */
  readonly #expired = new Map<string, Lease>();
  readonly #driven = new Map<string, RunDriver>();
  /** Turns that a queue has brought and that wait for a slot: called when they need none any more. */
  readonly #turns: (() => void)[] = [];
  /** The same of turns that have got a slot, by run. */
  readonly #releases = new Map<string, () => void>();
  readonly #observer: LeaseObserver;
  #timers: ReturnType<typeof setInterval>[] = [];
  #expiryTimer: ReturnType<typeof setTimeout> | undefined;
  #currentBeat: Promise<void> | null = null;
  readonly #lookOnce = coalesce(
    () => this.#look(),
    (error) => logger.error({ err: error }, "what runs were asked for could not be read"),
  );
  readonly #fill = coalesce(
    () => this.#fillSlots(),
    (error) => logger.error({ err: error }, "waiting runs could not be claimed"),
  );
  #beats = 0;
  #isShutDown = false;
  readonly #leaseMs: number;
  readonly #heartbeatMs: number;
  readonly #monotonicNow: () => number;

  constructor(
    private readonly db: Db,
    private readonly options: ExecutorOptions,
  ) {
    this.takesRuns = options.takesRuns ?? true;
    this.#leaseMs = options.leaseMs ?? 8_000;
    this.#heartbeatMs = options.heartbeatMs ?? 2_000;
    this.#monotonicNow = options.monotonicNow ?? (() => performance.now());
    this.#observer = new LeaseObserver(this.#leaseMs, this.#monotonicNow);
  }

  start(): void {
    void this.beat();
    this.#timers = [
      setInterval(() => void this.beat(), this.#heartbeatMs),
      setInterval(() => void this.look(), Math.min(lookMs, this.#heartbeatMs)),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** Stops the heartbeats; other processes take the runs under way over once they see none. */
  stop(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    clearTimeout(this.#expiryTimer);
    this.#expired.clear();
    for (const end of this.#turns.splice(0)) end();
  }

  /**
   * Takes no run any more and hands those under way back: they go on with the next start, or in another process.
   * Resolves when that is written, at the latest after 5 s. Never rejects.
   */
  async shutDown(): Promise<void> {
    this.#isShutDown = true;
    this.stop();
    const ends = Promise.allSettled([this.#handBack(), this.#fill().then(() => this.#handBack())]);
    const limit = new AbortController();
    await Promise.race([ends, sleep(shutDownMs, limit.signal).catch(() => {})]);
    limit.abort();
  }

  async #handBack(): Promise<void> {
    await Promise.allSettled([...this.#driven.values()].map((driver) => driver.handBack()));
  }

  /** A run waits for its turn: it, or the one whose turn it is, is driven as soon as there is room. */
  wake(): void {
    void this.#fill();
  }

  /**
   * Drives the run whose turn it is, as soon as there is room. Resolves when that run needs no slot here any more: it has ended, or waits for a person.
   * At once when no run waits that may begin. Rejects when this process takes no runs any more.
   */
  async take(): Promise<void> {
    if (this.#isShutDown) throw new Error("this process takes no runs any more");
    await new Promise<void>((resolve) => {
      this.#turns.push(resolve);
      this.wake();
    });
  }

  #release(runId: string): void {
    this.#releases.get(runId)?.();
    this.#releases.delete(runId);
  }

  /** Aborts the calls of a run that is driven here; its engine ends it as cancelled. */
  abort(runId: string): void {
    this.#driven.get(runId)?.cancel();
  }

  /** Stops a run that is paused, waiting or being driven here; one driven elsewhere sees the flag in its row. */
  async cancel(runId: string): Promise<void> {
    await endUnfinished(this.db, { runId, from: ["PAUSED"], ...cancelledWhilePaused });
    if (this.#driven.has(runId)) return this.abort(runId);
    this.#expired.delete(runId);
    const run = await this.db.run.findUnique({ where: { id: runId }, select: { startedAt: true } });
    const ending = run?.startedAt ? cancelledAfterStop : cancelledEarly;
    await endUnfinished(this.db, { runId, from: ["INIT"], ...ending });
  }

  /** Hands a stored answer to a run that is driven here; one driven elsewhere finds it with its next look. */
  async answer(runId: string): Promise<void> {
    await this.#driven.get(runId)?.people.collect();
  }

  /**
   * Renews the leases of this process, applies cancel flags, writes what could not be written, and takes over what dead
   * processes left. During a heartbeat it resolves with that one. Never rejects.
   */
  beat(): Promise<void> {
    this.#currentBeat ??= this.#beat().finally(() => {
      this.#currentBeat = null;
    });
    return this.#currentBeat;
  }

  async #beat(): Promise<void> {
    try {
      // A disk that became full or read-only is noticed also while nothing runs.
      if (this.#beats++ % beatsPerProbe === 0) await probeStorage(this.db);
      await this.assertStorage();
      await this.#renew();
      await this.look();
      if (this.takesRuns) await this.#takeOver();
      await this.#fill();
    } catch (error) {
      logger.error({ err: error }, "heartbeat failed");
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
      this.#forget(runId, driver);
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

  get #claimed() {
    return [...this.#driven.values()].flatMap((driver) => (driver.claim ? { driver, claim: driver.claim } : []));
  }

  async #renew(): Promise<void> {
    const run = { leaseUntil: new Date(this.options.context.now() + this.#leaseMs) };
    const nothing = { events: [], payloads: [], nodes: [] };
    const sentAt = this.#monotonicNow();
    await Promise.all(
      this.#claimed.map(async ({ driver, claim }) => {
        if (await this.#store.write({ ...claim, ...nothing, run })) driver.lease.noteRenewal(sentAt);
      }),
    );
  }

  get #store(): RunStore {
    return this.options.store ?? getRunStore();
  }

  /**
   * Looks at what the runs that are driven here were asked for meanwhile: to stop, to pause, with answers, with messages. `runIds`: only where one
   * of them is among these. Never rejects.
   */
  look(runIds?: readonly string[]): Promise<void> {
    if (runIds && !runIds.some((runId) => this.#driven.has(runId))) return Promise.resolve();
    return this.#lookOnce();
  }

  async #look(): Promise<void> {
    const claimed = this.#claimed;
    if (claimed.length === 0) return;
    const ids = claimed.map(({ claim }) => claim.runId);
    const where = { id: { in: ids }, owner: this.owner };
    const select = { id: true, epoch: true, cancelRequested: true, pauseRequested: true };
    const rows = await this.db.run.findMany({ where, select });
    const told = await this.db.runMessage.findMany({
      where: { runId: { in: ids }, takenAt: null },
      orderBy: { number: "asc" },
    });
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { driver, claim } of claimed) {
      const row = byId.get(claim.runId);
      if (row?.epoch !== claim.epoch) driver.lose();
      else if (row.cancelRequested) driver.cancel();
      else driver.setPause(row.pauseRequested);
      await driver.people.collect();
      const messages = told.filter(({ runId }) => runId === claim.runId);
      if (messages.length > 0) await driver.messages.take(messages);
    }
  }

  async #takeOver(): Promise<void> {
    const unfinished = await this.db.run.findMany({
      where: { status: { in: ["RUNNING", "WAITING"] } },
      select: { id: true, owner: true, epoch: true, leaseUntil: true, cancelRequested: true },
    });
    const leases = unfinished.flatMap(({ id: runId, ...lease }) =>
      this.#driven.has(runId) ? [] : { runId, ...lease },
    );
    const expired = this.#observer.observe(leases);
    this.#lookAtExpiry();
    if (expired.length > 0) await this.#waitForOwners();
    for (const { cancelRequested, ...lease } of expired) {
      const { runId, owner } = lease;
      logger.warn({ run: runId, owner }, "no heartbeat of the owner: the run is taken over");
      if (cancelRequested) await this.#endCancelled(lease);
      else this.#expired.set(runId, lease);
    }
  }

  /** A lease that expires before the next heartbeat is looked at in that moment. */
  #lookAtExpiry(): void {
    clearTimeout(this.#expiryTimer);
    const { nextExpiryMs } = this.#observer;
    if (this.#timers.length === 0 || nextExpiryMs >= this.#heartbeatMs) return;
    this.#expiryTimer = setTimeout(() => void this.beat(), nextExpiryMs + 1);
    this.#expiryTimer.unref();
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

  get #hasRoom(): boolean {
    // What cannot be stored is not begun: it waits until the database takes writes again.
    if (this.#isShutDown || getStorageFault()) return false;
    // A run that only waits for a person does no work: it frees its slot.
    const working = [...this.#driven.values()].filter((driver) => !driver.isIdle && !driver.hasUnwrittenEnding);
    return working.length < this.options.concurrency;
  }

  /** Runs of dead processes come first: they have begun. Requests that wait for their answers are before both. */
  async #fillSlots(): Promise<void> {
    for (await waitForTurn("run"); this.#hasRoom; await waitForTurn("run")) {
      const [lease] = this.#expired.values();
      if (lease) {
        this.#expired.delete(lease.runId);
        const claimRun = () => claimExpiredRun(this.db, lease, this.#claimant);
        const claimedAt = this.#monotonicNow();
        if (!this.#driven.has(lease.runId)) this.#drive(lease.runId, { isTakenOver: true, claimRun, claimedAt });
        continue;
      }
      const { teamConcurrency } = this.options;
      const turnCount = this.#turns.length;
      const claimedAt = this.#monotonicNow();
      const claim = this.takesRuns ? await claimNextRun(this.db, { ...this.#claimant, teamConcurrency }) : null;
      if (claim) this.#driveClaimed(claim, claimedAt);
      else return this.#endTurns(turnCount);
    }
  }

  /** Without a waiting run that may begin, turns have nothing to wait for; those that came later are looked at next. */
  #endTurns(count: number): void {
    for (const end of this.#turns.splice(0, count)) end();
  }

  get #claimant() {
    return { owner: this.owner, now: this.options.context.now(), leaseMs: this.#leaseMs };
  }

  #driveClaimed(claim: ClaimedRun, claimedAt: number): void {
    const end = this.#turns.shift();
    if (end) this.#releases.set(claim.runId, end);
    this.#drive(claim.runId, { isTakenOver: false, claimRun: () => Promise.resolve(claim), claimedAt });
  }

  #drive(runId: string, origin: Pick<RunDriverOptions, "isTakenOver" | "claimRun" | "claimedAt">): void {
    const driver = new RunDriver(this.db, {
      runId,
      ...origin,
      leaseMs: this.#leaseMs,
      monotonicNow: this.#monotonicNow,
      store: this.#store,
      context: this.options.context,
      findTeamWorld: this.options.findTeamWorld,
      rescueMs: this.options.rescueMs ?? 60_000,
      onWaiting: () => {
        if (driver.isIdle) this.#release(runId);
        this.wake();
      },
    });
    this.#driven.set(runId, driver);
    void asLoopWork({ route: "run", id: runId }, () => driver.drive()).then(() => {
      this.#release(runId);
      if (!driver.hasUnwrittenEnding) this.#forget(runId, driver);
      this.wake();
    });
  }

  /** A run that was handed over and came back at once has another driver, which stays. */
  #forget(runId: string, driver: RunDriver): void {
    if (this.#driven.get(runId) === driver) this.#driven.delete(runId);
  }
}

declare global {
  var swarmloomExecutor: Executor | undefined;
}

/** Starts this process's executor; one for all bundles of a process. */
export function startExecutor(db: Db): void {
  globalThis.swarmloomExecutor ??= new Executor(db, {
    concurrency: getEnv().SWARMLOOM_CONCURRENCY,
    teamConcurrency: getEnv().SWARMLOOM_TEAM_CONCURRENCY,
    context: runWorld,
    findTeamWorld,
    // Among several processes it is decided first which of them drive runs.
    takesRuns: !usesJobs(),
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
