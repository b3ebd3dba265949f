import "server-only";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import type { RunEvent } from "@/lib/core/run/events/events";
import { messageSchema } from "@/lib/core/run/events/messages";
import { isCallKind } from "@/lib/core/run/events/run-node-traits";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/run-status";
import { Inbox } from "@/lib/core/run/ports/inbox";
import { PauseGate } from "@/lib/core/run/ports/pause-gate";
import type { RunContext } from "@/lib/core/run/ports/run-context";
import { runFlow } from "@/lib/core/run/run-flow";
import { toLowest } from "@/lib/core/run/scope/budget";
import type { OwnKeys } from "../../connections/personal-keys";
import { type Db, getRunStore, isDatabaseError } from "../../db";
import { logger } from "../../log/logger";
import { simulateModels } from "../../models/demo/simulate-models";
import { readOwnKeys } from "../own-keys";
import { getRunQueue } from "../queue/run-queue";
import { readRevision } from "../store/flow-cache";
import { readEdits } from "../store/node-edits";
import type { ClaimedRun } from "./claim-run";
import { type Ending, endUnfinished } from "./end-unfinished";
import { stuck, toFaultEnding } from "./endings";
import { RunPeople } from "./human-input";
import { readStoredRun } from "./read-journal";
import { RunMessages } from "./run-messages";
import { LostClaimError, RunRecorder } from "./run-recorder";

export interface RunDriverOptions {
  runId: string;
  /** Whether the process that drove the run until now has died. */
  isTakenOver: boolean;
  /** Null: the run is not this process's to drive. */
  claimRun(): Promise<ClaimedRun | null>;
  context: Omit<RunContext, "signal">;
  findTeamWorld?: ((teamId: string, own: OwnKeys | null) => Partial<RunContext>) | undefined;
  /** How long what could not be stored is attempted again before the run is ended without it. */
  rescueMs: number;
  /** Called when the run begins or ends to wait for a person. */
  onWaiting(): void;
}

/** How often a run is resumed although no step ended in between: what it does may be what ends its process. */
const mostResumes = 3;

/** Drives one run in this process: claims it, stores what happens, and ends it when its engine cannot. */
export class RunDriver {
  /** The claim in the run's row while this driver owns it; null before it does. */
  claim: ClaimedRun | null = null;
  readonly people: RunPeople;
  readonly messages: RunMessages;
  readonly #inbox = new Inbox();
  readonly #pause = new PauseGate();
  readonly #controller = new AbortController();
  #recorder: RunRecorder | null = null;
  /** How the run ends as soon as that can be written, where its engine does not end it. */
  #ending: Ending | null = null;
  #claiming: Promise<unknown> = Promise.resolve();
  #isInterrupted = false;
  #rescueUntil = Number.POSITIVE_INFINITY;

  constructor(
    private readonly db: Db,
    private readonly options: RunDriverOptions,
  ) {
    this.people = new RunPeople(db, options.runId, options.onWaiting);
    this.messages = new RunMessages(db, options.runId, this.#inbox);
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
    this.#controller.abort(new LostClaimError(`run ${this.options.runId} was taken over or deleted`));
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
    this.#isInterrupted = true;
    this.#recorder?.close();
    if (!this.claim) return;
    const { runId, owner, epoch } = this.claim;
    const where = { owner, epoch, id: runId, status: "PAUSED", pauseRequested: true, cancelRequested: false };
    const { count } = await this.db.run.updateMany({ where, data: { owner: null, leaseUntil: null } });
    if (count === 0) await this.#queueAgain(["PAUSED"]);
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
      if (!isDatabaseError(error) || performance.now() < this.#rescueUntil) throw error;
    }
  }

  async #perform(): Promise<void> {
    const claiming = this.options.claimRun();
    this.#claiming = claiming;
    this.claim = await claiming;
    if (!this.claim || this.#isInterrupted) return;
    const { runId, context } = this.options;
    const run = await this.db.run.findUniqueOrThrow({
      where: { id: runId },
      include: { revision: { select: { source: true } } },
    });
    const stored = this.claim.epoch > 1 ? await readStoredRun(this.db, runId) : undefined;
    await this.messages.restore(stored?.journal.deliveredMessages ?? new Set());
    if (this.#isInterrupted) return;
    const isStuck = stored !== undefined && stored.journal.resumesWithoutProgress >= mostResumes;
    // A server that was stopped handed its runs back: none of them ended it.
    if (isStuck && this.options.isTakenOver) return this.#end(stuck);
    if (run.cancelRequested) this.cancel();
    else this.setPause(run.pauseRequested);
    const flow = readRevision(run.revisionId, run.revision.source);
    const messages = parseJsonAs(run.messages, z.array(messageSchema));
    const world = { ...context, ...this.options.findTeamWorld?.(run.teamId, readOwnKeys(run)) };
    // What a run produces is worth nothing once it cannot be stored: its calls end at once.
    const onFailure = (error: unknown): void => this.#controller.abort(error);
    const recorder = new RunRecorder(getRunStore(), this.claim, { onFailure, state: stored?.state, input: run.input });
    this.#recorder = recorder;
    const runContext = {
      ...world,
      models: run.simulated ? simulateModels(world.models) : world.models,
      ceilings: toLowest(
        { max_cost: run.maxCost ?? undefined, max_tokens: run.maxTokens ?? undefined },
        world.ceilings,
      ),
      humanInput: this.people,
      signal: this.#controller.signal,
    };
    const options = {
      runId,
      messages,
      inbox: this.#inbox,
      pause: this.#pause,
      simulated: run.simulated,
      journal: stored?.journal,
      edits: readEdits(run.edits),
    };
    for await (const event of runFlow(flow, run.input, runContext, options)) {
      if (this.#isInterrupted) return;
      recorder.add(event);
      if (event.type === "run.paused") return this.#park();
      // What has happened is on disk before a model or a tool is called: the engine waits until it is asked for more.
      if (mustBeStored(event)) await recorder.flush();
      else if (event.type === "node.finished") recorder.flushSoon();
    }
    await recorder.flush();
    if (!isTerminal(recorder.state.status)) throw new Error("the run ended without a terminal event");
  }

  /** A run must end, also when driving it went wrong. */
  async #fail(error: unknown): Promise<void> {
    const { runId: run } = this.options;
    if (error instanceof LostClaimError) return logger.warn({ run }, error.message);
    if (this.#isInterrupted) return;
    logger.error({ err: error, run }, "run failed in the server");
    // It waits in the database until it can be claimed.
    if (!this.claim) return;
    this.#rescueUntil = performance.now() + this.options.rescueMs;
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
  event.type === "answer.requested" || (event.type === "node.started" && isCallKind(event.kind));
