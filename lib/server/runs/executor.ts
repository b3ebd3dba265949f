import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { RunContext } from "@/lib/core/run/context";
import { isTerminal, type RunError } from "@/lib/core/run/events";
import { Inbox } from "@/lib/core/run/inbox";
import { messageSchema } from "@/lib/core/run/messages";
import { runFlow } from "@/lib/core/run/run-flow";
import { readSource } from "@/lib/core/source/read-source";
import type { Db } from "../db";
import { getEnv } from "../env";
import { logger } from "../logger";
import { runWorld } from "../run-world";
import { endUnfinished } from "./end-unfinished";
import { RunPeople } from "./people";
import { type Claim, LostClaimError, Recorder } from "./recorder";

/** Where runs wait to be driven. The embedded one is this process. */
export interface RunQueue {
  enqueue(runId: string): void;
  /** Stops a run that is waiting or being driven here; one driven elsewhere sees the flag in its row. */
  cancel(runId: string): Promise<void>;
  /** Hands a stored answer to a run that is driven here; one driven elsewhere finds it at its next heartbeat. */
  answer(runId: string): Promise<void>;
  /** Puts a message into the conversation of an agent at work; false when the run is not driven here. */
  tell(runId: string, agent: string, text: string): boolean;
}

/** A run under way in this process. */
interface Driven {
  controller: AbortController;
  people: RunPeople;
  inbox: Inbox;
}

export interface ExecutorOptions {
  /** What the runs may touch of the world; the signal is the run's own. */
  context: Omit<RunContext, "signal">;
  concurrency: number;
  leaseMs?: number;
  heartbeatMs?: number;
}

/** Drives runs in this process: claims each by a lease, stores what happens, and ends what a dead process left behind. */
export class Executor implements RunQueue {
  readonly #owner = `${process.pid}-${randomUUID()}`;
  readonly #waiting = new Set<string>();
  readonly #driven = new Map<string, Driven>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #beating = false;
  readonly #leaseMs: number;
  readonly #heartbeatMs: number;

  constructor(
    private readonly db: Db,
    private readonly options: ExecutorOptions,
  ) {
    this.#leaseMs = options.leaseMs ?? 10_000;
    this.#heartbeatMs = options.heartbeatMs ?? 2_000;
  }

  start(): void {
    void this.beat();
    this.#timer = setInterval(() => void this.beat(), this.#heartbeatMs);
    this.#timer.unref();
  }

  /** Stops taking runs; those under way are cut off and end as interrupted once their lease is over. */
  stop(): void {
    clearInterval(this.#timer);
    this.#waiting.clear();
  }

  /** Stops, and ends the runs under way here as interrupted. */
  async shutDown(): Promise<void> {
    this.stop();
    for (const runId of this.#driven.keys())
      await endUnfinished(this.db, {
        runId,
        from: ["RUNNING", "WAITING"],
        status: "FAILED",
        error: interruptedError,
      });
  }

  enqueue(runId: string): void {
    if (this.#driven.has(runId)) return;
    this.#waiting.add(runId);
    this.#fill();
  }

  async cancel(runId: string): Promise<void> {
    const driven = this.#driven.get(runId);
    if (driven) driven.controller.abort(new Error("cancelled"));
    else {
      this.#waiting.delete(runId);
      await endUnfinished(this.db, { runId, from: ["INIT"], status: "CANCELLED", error: cancelledError });
    }
  }

  async answer(runId: string): Promise<void> {
    await this.#driven.get(runId)?.people.collect();
  }

  tell(runId: string, agent: string, text: string): boolean {
    const driven = this.#driven.get(runId);
    driven?.inbox.put(agent, text);
    return driven !== undefined;
  }

  /** Renews the leases of this process, sees to cancel flags, and sweeps up after others. */
  async beat(): Promise<void> {
    if (this.#beating) return;
    this.#beating = true;
    try {
      await this.#renew();
      await this.#sweep();
    } catch (error) {
      logger.error({ err: error }, "heartbeat failed");
    } finally {
      this.#beating = false;
    }
  }

  async #renew(): Promise<void> {
    const ids = [...this.#driven.keys()];
    if (ids.length === 0) return;
    await this.db.run.updateMany({
      where: { id: { in: ids }, owner: this.#owner, status: { in: ["RUNNING", "WAITING"] } },
      data: { leaseUntil: new Date(this.#now() + this.#leaseMs) },
    });
    const flagged = await this.db.run.findMany({
      where: { id: { in: ids }, cancelRequested: true },
      select: { id: true },
    });
    for (const { id } of flagged) this.#driven.get(id)?.controller.abort(new Error("cancelled"));
    for (const { people } of this.#driven.values()) await people.collect();
  }

  async #sweep(): Promise<void> {
    const lost = await this.db.run.findMany({
      where: { status: { in: ["RUNNING", "WAITING"] }, leaseUntil: { lt: new Date(this.#now()) } },
      select: { id: true },
      take: 100,
    });
    for (const { id } of lost) {
      if (this.#driven.has(id)) continue;
      const ended = await endUnfinished(this.db, {
        runId: id,
        from: ["RUNNING", "WAITING"],
        leaseBefore: new Date(this.#now()),
        status: "FAILED",
        error: interruptedError,
      });
      if (ended) logger.warn({ run: id }, "run was cut off");
    }
    const forgotten = await this.db.run.findMany({
      where: { status: "INIT" },
      orderBy: { createdAt: "asc" },
      select: { id: true },
      take: 100,
    });
    for (const { id } of forgotten) this.enqueue(id);
  }

  #fill(): void {
    for (const runId of this.#waiting) {
      // A run that waits for a person does no work: it frees its place.
      const working = [...this.#driven.values()].filter(({ people }) => !people.isWaiting).length;
      if (working >= this.options.concurrency) return;
      this.#waiting.delete(runId);
      const people = new RunPeople(this.db, runId, () => this.#fill());
      const driven: Driven = { controller: new AbortController(), people, inbox: new Inbox() };
      this.#driven.set(runId, driven);
      void this.#drive(runId, driven)
        .catch((error: unknown) => this.#giveUp(runId, error))
        .finally(() => {
          this.#driven.delete(runId);
          this.#fill();
        });
    }
  }

  async #drive(runId: string, { controller, people, inbox }: Driven): Promise<void> {
    const claim = await this.#claim(runId);
    if (!claim) return;
    const run = await this.db.run.findUniqueOrThrow({
      where: { id: runId },
      include: { revision: { select: { source: true } } },
    });
    if (run.cancelRequested) controller.abort(new Error("cancelled"));
    const { flow } = readSource(run.revision.source);
    const messages = z.array(messageSchema).parse(JSON.parse(run.messages));
    const recorder = new Recorder(this.db, claim);
    for await (const event of runFlow(
      flow,
      run.input,
      { ...this.options.context, people, signal: controller.signal },
      { messages, inbox },
    )) {
      recorder.add(event);
      // A step's end is on disk before the next step starts: the engine waits until it is asked for more.
      if (event.type === "node.finished" || event.type === "run.finished") await recorder.flush();
    }
    await recorder.flush();
    if (!isTerminal(recorder.state.status)) throw new Error("the run ended without saying how");
  }

  async #claim(runId: string): Promise<Claim | null> {
    const run = await this.db.run.findUnique({ where: { id: runId }, select: { epoch: true } });
    if (!run) return null;
    const epoch = run.epoch + 1;
    const now = this.#now();
    const { count } = await this.db.run.updateMany({
      where: { id: runId, status: "INIT", epoch: run.epoch },
      data: {
        status: "RUNNING",
        owner: this.#owner,
        epoch,
        leaseUntil: new Date(now + this.#leaseMs),
        startedAt: new Date(now),
      },
    });
    return count === 1 ? { runId, owner: this.#owner, epoch } : null;
  }

  /** A run must end, also when driving it went wrong. */
  async #giveUp(runId: string, error: unknown): Promise<void> {
    if (error instanceof LostClaimError) return logger.warn({ run: runId }, error.message);
    logger.error({ err: error, run: runId }, "run failed in the server");
    const message = `The server failed while it drove this run: ${error instanceof Error ? error.message : "unknown error"}`;
    await endUnfinished(this.db, {
      runId,
      from: ["INIT", "RUNNING", "WAITING"],
      status: "FAILED",
      error: { code: "internal", message },
    }).catch((again: unknown) => logger.error({ err: again, run: runId }, "run could not be ended"));
  }

  #now(): number {
    return this.options.context.now();
  }
}

const cancelledError: RunError = { code: "cancelled", message: "The run was cancelled before it began." };
const interruptedError: RunError = {
  code: "interrupted",
  message:
    "The run was cut off: the server stopped while it was running. What had finished is kept; start it again to do the rest.",
};

declare global {
  var swarmloomExecutor: Executor | undefined;
}

/** Starts this process's executor; one for all bundles of a process. */
export function startExecutor(db: Db): void {
  globalThis.swarmloomExecutor ??= new Executor(db, {
    concurrency: getEnv().SWARMLOOM_CONCURRENCY,
    context: runWorld,
  });
  globalThis.swarmloomExecutor.start();
}

/** Throws while the database has not been opened yet. */
export function getExecutor(): Executor {
  if (!globalThis.swarmloomExecutor) throw new Error("the executor starts with the database: call getDb() first");
  return globalThis.swarmloomExecutor;
}

/** Takes no new runs and ends those under way here as interrupted. */
export async function shutDownExecutor(): Promise<void> {
  await globalThis.swarmloomExecutor?.shutDown();
}
