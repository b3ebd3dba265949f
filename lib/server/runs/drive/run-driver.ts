import "server-only";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import type { RunEvent } from "@/lib/core/run/events/events";
import { messageSchema } from "@/lib/core/run/events/messages";
import { OpenWork } from "@/lib/core/run/events/open-work";
import { isCallKind } from "@/lib/core/run/events/run-node-traits";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/run-status";
import { maxResumesWithoutProgress } from "@/lib/core/run/journal/journal";
import { Inbox } from "@/lib/core/run/ports/inbox";
import { PauseGate } from "@/lib/core/run/ports/pause-gate";
import type { RunContext } from "@/lib/core/run/ports/run-context";
import { runFlow } from "@/lib/core/run/run-flow";
import { toLowest } from "@/lib/core/run/scope/budget";
import type { OwnKeys } from "../../connections/personal-keys";
import { type Db, isDatabaseError, type RunStore } from "../../db";
import { logger } from "../../log/logger";
import { simulateModels } from "../../models/demo/simulate-models";
import { readOwnKeys } from "../own-keys";
import { getRunQueue } from "../queue/run-queue";
import { readRevision } from "../store/flow-cache";
import { readEdits, readParameters } from "../store/node-edits";
import type { ClaimedRun } from "./claim-run";
import { type Ending, endUnfinished } from "./end-unfinished";
import { stuck, toFaultEnding } from "./endings";
import { findForkedFlow } from "./find-forked-flow";
import { guardCalls, HeldLease } from "./held-lease";
import { RunPeople } from "./human-input";
import { readStoredRun } from "./read-journal";
import { RunMessages } from "./run-messages";
import { LostClaimError, RunRecorder } from "./run-recorder";
import { retryWhileAway } from "./storage-patience";

export interface RunDriverOptions {
  runId: string;
  /** Whether the process that drove the run until now has died. */
  isTakenOver: boolean;
  /** Null: the run is not this process's to drive. */
  claimRun(): Promise<ClaimedRun | null>;
  /** When the claim was sent, at the latest, in milliseconds of the monotonic clock. */
  claimedAt: number;
  leaseMs: number;
  monotonicNow(): number;
  store: RunStore;
  context: Omit<RunContext, "signal">;
  findTeamWorld?: ((teamId: string, own: OwnKeys | null) => Partial<RunContext>) | undefined;
  /** How long what could not be stored is attempted again before the run is ended without it. */
  rescueMs: number;
  /** Called when the run begins or ends to wait for a person, or to be idle meanwhile. */
  onWaiting(): void;
}

/** What of a run's row decides what it may use. */
type LimitedRun = Parameters<typeof readOwnKeys>[0] & {
  teamId: string;
  simulated: boolean;
  maxCost: number | null;
  maxTokens: number | null;
};

/** Drives one run in this process: claims it, stores what happens, and ends it when its engine cannot. */
export class RunDriver {
  /** The claim in the run's row while this driver owns it; null before it does. */
  claim: ClaimedRun | null = null;
  readonly lease: HeldLease;
  readonly people: RunPeople;
  readonly messages: RunMessages;
  readonly #inbox = new Inbox();
  readonly #pause = new PauseGate();
  readonly #controller = new AbortController();
  #recorder: RunRecorder | null = null;
  #work = new OpenWork();
  /** How the run ends as soon as that can be written, where its engine does not end it. */
  #ending: Ending | null = null;
  #claiming: Promise<unknown> = Promise.resolve();
  #isInterrupted = false;
  #isLost = false;
  #rescueUntil = Number.POSITIVE_INFINITY;

  constructor(
    private readonly db: Db,
    private readonly options: RunDriverOptions,
  ) {
    const { leaseMs, monotonicNow, claimedAt } = options;
    this.lease = new HeldLease({ leaseMs, monotonicNow, renew: () => this.#renew() }, claimedAt);
    this.people = new RunPeople(db, options.runId, options.onWaiting);
    this.messages = new RunMessages(db, options.runId, this.#inbox);
  }

  /** Whether the run only waits for a person: one of its branches may wait while another is at work. */
  get isIdle(): boolean {
    return this.people.isWaiting && !this.#work.isAtWork;
  }

  /** Whether the run has an ending that the database did not take yet: `writeEnding` must be called again. */
  get hasUnwrittenEnding(): boolean {
    return this.#ending !== null;
  }

  /** Resolves when the run has ended, or does not concern this process any more. Never rejects. */
  async drive(): Promise<void> {
    try {
      await this.#perform();
    } catch (error) {
      await this.#fail(error);
    }
  }

  /** Stops the run: its calls are aborted, its engine ends it as cancelled. */
  cancel(): void {
    this.#controller.abort(new Error("cancelled"));
  }

  /** Whether the run is to be paused: no further step begins then, and it is parked once none is under way. */
  setPause(isRequested: boolean): void {
    if (isRequested) this.#pause.request();
    else this.#pause.release();
  }

  /** Another process owns the run, or it is gone: its calls are aborted, nothing is written any more. */
  lose(): void {
    this.#isLost = true;
    this.#controller.abort(this.#toLostClaim());
  }

  #toLostClaim(): LostClaimError {
    return new LostClaimError(`run ${this.options.runId} was taken over or deleted`);
  }

  /** Repeats what may be done more than once while the database is away and the run is this process's. */
  #patiently<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const { context, monotonicNow, rescueMs } = this.options;
    const isObsolete = (): boolean => this.#isInterrupted || this.#isLost;
    return retryWhileAway(attempt, { sleep: context.sleep, monotonicNow, patienceMs: rescueMs, isObsolete });
  }

  /** Renews the lease in the run's row. False: the run is not this process's any more. */
  async #renew(): Promise<boolean> {
    const { context, leaseMs, store } = this.options;
    const { claim } = this;
    if (!claim) return false;
    const { runId, owner, epoch } = claim;
    const nothing = { events: [], payloads: [], nodes: [] };
    const write = () =>
      store.write({ runId, owner, epoch, ...nothing, run: { leaseUntil: new Date(context.now() + leaseMs) } });
    return this.#patiently(write);
  }

  /** What happens outside of the run happens only while no other process can have taken it over. */
  async #assertHeld(): Promise<void> {
    if (await this.lease.confirm()) return;
    this.lose();
    throw this.#toLostClaim();
  }

  /**
   * Lets go of the run, whatever it does: its calls are aborted, and it waits for its turn again, in whichever process.
   * Resolves when that is written.
   */
  async handBack(): Promise<void> {
    this.#isInterrupted = true;
    await this.#claiming.catch(() => {});
    if (!this.claim) return;
    this.#recorder?.close();
    this.#controller.abort(new Error("the server stops"));
    if (this.hasUnwrittenEnding) return this.writeEnding();
    await this.#recorder?.flush();
    await this.#queueAgain(["RUNNING", "WAITING"]);
  }

  /** Lets the run wait for its turn again. */
  async #queueAgain(from: RunStatus[]): Promise<void> {
    if (!this.claim) return;
    const { runId, priority, ...lease } = this.claim;
    const waits = this.db.run.updateMany({
      where: { ...lease, id: runId, status: { in: from } },
      data: { status: "INIT", owner: null, leaseUntil: null },
    });
    await this.db.$transaction([waits, ...getRunQueue().add(this.db, [{ id: runId, priority }])]);
  }

  /** Lets go of a run that is stored as paused, unless it was resumed or cancelled meanwhile. */
  async #park(): Promise<void> {
    await this.#recorder?.flush();
    this.#recorder?.close();
    if (!this.claim) return;
    const { runId, owner, epoch } = this.claim;
    const where = { owner, epoch, id: runId, status: "PAUSED", pauseRequested: true, cancelRequested: false };
    const park = () => this.db.run.updateMany({ where, data: { owner: null, leaseUntil: null } });
    const { count } = await this.#patiently(park);
    if (count === 0) await this.#patiently(() => this.#queueAgain(["PAUSED"]));
    this.#isInterrupted = true;
  }

  /** Writes what is not stored yet, and the ending. Throws DatabaseError while the database does not take it. */
  async writeEnding(): Promise<void> {
    if (!this.#ending || !this.claim) return;
    const { runId, owner, epoch } = this.claim;
    try {
      await this.#rescue();
      await endUnfinished(this.db, { runId, from: ["RUNNING", "WAITING"], lease: { owner, epoch }, ...this.#ending });
    } catch (error) {
      if (!(error instanceof LostClaimError)) throw error;
    }
    this.#ending = null;
  }

  /** A disk with little room takes the ending, though not what the run produced last. */
  async #rescue(): Promise<void> {
    try {
      await this.#recorder?.rescue();
    } catch (error) {
      if (!isDatabaseError(error) || this.options.monotonicNow() < this.#rescueUntil) throw error;
    }
  }

  async #perform(): Promise<void> {
    const claiming = this.options.claimRun();
    this.#claiming = claiming;
    const claim = await claiming;
    this.claim = claim;
    if (!claim || this.#isInterrupted) return;
    const { runId } = this.options;
    const { run, stored } = await this.#patiently(() => this.#load(claim));
    if (this.#isInterrupted) return;
    const isStuck = stored !== undefined && stored.journal.resumesWithoutProgress >= maxResumesWithoutProgress;
    // A server that was stopped handed its runs back: none of them ended it.
    if (isStuck && this.options.isTakenOver) return this.#end(stuck);
    if (run.cancelRequested) this.cancel();
    else this.setPause(run.pauseRequested);
    const turn = { teamId: run.teamId, userId: run.startedById, isOfRun: true } as const;
    const flow = await readRevision(run.revisionId, run.revision.source, turn);
    const messages = parseJsonAs(run.messages, z.array(messageSchema));
    const { store } = this.options;
    // What a run produces is worth nothing once it cannot be stored: its calls end at once.
    const onFailure = (error: unknown): void => this.#controller.abort(error);
    const work = new OpenWork(stored?.state);
    this.#work = work;
    const recorder = new RunRecorder(store, claim, { onFailure, state: stored?.state, input: run.input, work });
    this.#recorder = recorder;
    const options = {
      runId,
      messages,
      inbox: this.#inbox,
      pause: this.#pause,
      simulated: run.simulated,
      journal: stored?.journal,
      edits: readEdits(run.edits),
      forkedFlow: await this.#patiently(() => findForkedFlow(this.db, run, turn)),
      parameters: readParameters(run.parameters),
    };
    for await (const event of runFlow(flow, run.input, this.#toContext(run), options)) {
      if (this.#isInterrupted) return;
      recorder.add(event);
      this.#followWork(event);
      if (event.type === "run.paused") return this.#park();
      // What has happened is on disk before a model or a tool is called: the engine waits until it is asked for more.
      if (mustBeStored(event) || recorder.isFull) await recorder.flush();
      else if (event.type === "node.finished") recorder.flushSoon();
    }
    await recorder.flush();
    if (!isTerminal(recorder.state.status)) throw new Error("the run ended without a terminal event");
  }

  /** What is stored of the run. Nothing of it has been done here yet, so it may be read again. */
  async #load(claim: ClaimedRun) {
    const { runId } = claim;
    const run = await this.db.run.findUniqueOrThrow({
      where: { id: runId },
      include: { revision: { select: { source: true } } },
    });
    if (run.owner !== claim.owner || run.epoch !== claim.epoch) throw this.#toLostClaim();
    const stored = claim.epoch > 1 ? await readStoredRun(this.db, runId) : undefined;
    await this.messages.restore(stored?.journal.deliveredMessages ?? new Set());
    if (stored) await this.people.restore();
    return { run, stored };
  }

  #toContext(run: LimitedRun): RunContext {
    const { context, findTeamWorld } = this.options;
    const world = { ...context, ...findTeamWorld?.(run.teamId, readOwnKeys(run)) };
    const models = run.simulated ? simulateModels(world.models) : world.models;
    const limits = { max_cost: run.maxCost ?? undefined, max_tokens: run.maxTokens ?? undefined };
    return {
      ...guardCalls({ ...world, models }, () => this.#assertHeld()),
      ceilings: toLowest(limits, world.ceilings),
      humanInput: this.people,
      signal: this.#controller.signal,
    };
  }

  #followWork(event: RunEvent): void {
    const wasIdle = this.isIdle;
    this.#work.take(event);
    if (this.isIdle !== wasIdle) this.options.onWaiting();
  }

  /** A run must end, also when driving it went wrong. */
  async #fail(error: unknown): Promise<void> {
    const { runId: run } = this.options;
    if (error instanceof LostClaimError) return logger.warn({ run }, error.message);
    if (this.#isInterrupted) return;
    logger.error({ err: error, run }, "run failed in the server");
    // It waits in the database until it can be claimed.
    if (!this.claim) return;
    this.#rescueUntil = this.options.monotonicNow() + this.options.rescueMs;
    await this.#end(toFaultEnding(error));
  }

  async #end(ending: Ending): Promise<void> {
    const { runId: run } = this.options;
    this.#ending = ending;
    await this.writeEnding().catch((error: unknown) => logger.error({ err: error, run }, "run could not be ended"));
  }
}

/** Whether the engine does something outside of the run once it is asked for the event after this one. */
const mustBeStored = (event: RunEvent): boolean =>
  event.type === "answer.requested" ||
  event.type === "answer.given" ||
  (event.type === "node.started" && isCallKind(event.kind));
