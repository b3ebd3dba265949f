import "server-only";
import { findJsonAs } from "@/lib/core/flow/parse-json";
import { isTerminal, runStatuses } from "@/lib/core/run/events/run-status";
import { toBatches } from "@/lib/core/trace/otlp/batches";
import { SpanWriter } from "@/lib/core/trace/otlp/to-trace";
import { type Db, isDatabaseError } from "../db";
import { logger } from "../log/logger";
import { readWholeNodes } from "../runs/store/whole-nodes";
import { type PostFailure, postSpans } from "./post-spans";
import { headersSchema } from "./queries";
import type { TraceExportSetting } from "./trace-export-setting";

/** Waits after an attempt that failed, in milliseconds; after the last one the run is given up. */
const waits = [10_000, 60_000, 300_000, 1_800_000, 7_200_000];

/** Runs that are sent in one look. */
const atOnce = 20;

const ended = runStatuses.filter(isTerminal);

/**
 * Sends ended runs to the collectors of their teams, independently of running ones. A run's row records
 * whether it was sent, so it continues after a restart. Each is sent at least once; its spans have the same ids
 * each time.
 */
export class TraceSender {
  #timer: ReturnType<typeof setInterval> | undefined;
  #looking: Promise<void> | null = null;

  constructor(
    private readonly db: Db,
    private readonly options: { everyMs: number; now(): number },
  ) {}

  start(): void {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => void this.look(), this.options.everyMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Sends what is due. Never rejects; while one look is under way there is no second. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) => logger.error({ err: error }, "sending traces failed"))
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #look(): Promise<void> {
    for (const row of await this.db.traceExport.findMany({ where: { enabled: true } })) {
      const headers = findJsonAs(row.headers, headersSchema);
      if (headers) for (const run of await this.#findDue(row)) await this.#send({ ...row, headers }, run);
      else logger.error({ team: row.teamId }, "the stored headers of a trace export cannot be read: set it again");
    }
  }

  #findDue({ teamId, since }: { teamId: string; since: Date }): Promise<DueRun[]> {
    const now = new Date(this.options.now());
    return this.db.run.findMany({
      where: {
        teamId,
        traceDone: false,
        endedAt: { gte: since },
        status: { in: ended },
        OR: [{ traceNextAt: null }, { traceNextAt: { lte: now } }],
      },
      orderBy: { endedAt: "asc" },
      take: atOnce,
      select: { id: true, endedAt: true, traceTries: true },
    });
  }

  async #send(setting: TraceExportSetting & { teamId: string }, run: DueRun): Promise<void> {
    const { id, traceTries } = run;
    const wait = waits[traceTries];
    // The process that increments the count makes the attempt; if it dies meanwhile, another one tries after the wait.
    const { count } = await this.db.run.updateMany({
      where: { id, traceTries, traceDone: false },
      data: { traceTries: traceTries + 1, traceNextAt: new Date(this.options.now() + (wait ?? 0)) },
    });
    if (count === 0) return;
    const failure = await this.#post(setting, run).catch((error: unknown) => toUnreadable(id, error));
    const attemptedAt = new Date(this.options.now());
    if (failure === null || !failure.mayHelp || wait === undefined)
      await this.db.run.updateMany({ where: { id }, data: { traceDone: true, traceNextAt: null } });
    if (failure) logger.warn({ run: id, attempt: traceTries + 1 }, `trace was not sent: ${failure.problem}`);
    await this.db.traceExport.updateMany({
      where: { teamId: setting.teamId },
      data: failure ? { lastError: failure.problem } : { lastSentAt: attemptedAt, lastError: null },
    });
  }

  /** Null: everything was taken. */
  async #post(setting: TraceExportSetting & { teamId: string }, { id, endedAt }: DueRun): Promise<PostFailure | null> {
    const writer = new SpanWriter({ id, until: endedAt?.getTime() ?? 0 }, { content: setting.content });
    for await (const batch of toBatches(writeSpans(this.db, id, writer))) {
      const posted = await postSpans(setting, batch);
      if (!posted.ok) return posted;
    }
    return null;
  }
}

/** A run whose rows cannot be read never can be sent. Throws a fault of the database, which concerns all runs. */
function toUnreadable(run: string, error: unknown): PostFailure {
  if (isDatabaseError(error)) throw error;
  logger.error({ err: error, run }, "a run cannot be read to send its trace");
  return { ok: false, problem: `Run ${run} cannot be read: the server's log has the details.`, mayHelp: false };
}

interface DueRun {
  id: string;
  endedAt: Date | null;
  traceTries: number;
}

async function* writeSpans(db: Db, runId: string, writer: SpanWriter): AsyncGenerator<string> {
  for await (const node of readWholeNodes(db, runId)) yield JSON.stringify(writer.toSpan(node));
}

declare global {
  var swarmloomTraceSender: TraceSender | undefined;
}

/** Starts this process's sender; one for all bundles of a process. */
export function startTraceSender(db: Db): void {
  globalThis.swarmloomTraceSender ??= new TraceSender(db, { everyMs: 2000, now: Date.now });
  globalThis.swarmloomTraceSender.start();
}
