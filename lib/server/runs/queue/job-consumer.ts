import "server-only";
import { Logger, type Runner, run as startRunner } from "graphile-worker";
import { createPool } from "@/prisma/client";
import { logger } from "../../log/logger";
import { runJob } from "./run-queue";

/** Connections for taking jobs and marking them as done. */
const connections = 4;

/** Messages of the library: what it does in normal operation is of no interest here. */
const jobLogger = new Logger((scope) => (level, message) => {
  if (level === "error" || level === "warning")
    logger[level === "error" ? "error" : "debug"]({ scope: scope.label }, message);
});

/**
 * Takes the jobs of runs from PostgreSQL, as soon as they are added, as many at a time as this process may drive. A job only
 * wakes: which run is driven for it is decided by a claim.
 */
export class JobConsumer {
  #runner: Promise<Runner> | null = null;

  /** `drive` resolves when its run needs no slot here any more. */
  constructor(private readonly options: { url: string; concurrency: number; drive(): Promise<void> }) {}

  /** Resolves when jobs are being taken. A consumer that takes jobs, or is about to, goes on. */
  async start(): Promise<void> {
    this.#runner ??= this.#start();
    await this.#runner.catch((error: unknown) => {
      this.#runner = null;
      throw error;
    });
  }

  async #start(): Promise<Runner> {
    const { url, concurrency, drive } = this.options;
    const pool = createPool(url, { max: connections });
    const runner = await startRunner({
      pgPool: pool,
      concurrency,
      noHandleSignals: true,
      parsedCronItems: [],
      logger: jobLogger,
      taskList: { [runJob]: () => drive() },
    }).catch(async (error: unknown) => {
      await pool.end();
      throw error;
    });
    const ended = runner.promise
      .catch((error: unknown) => logger.error({ err: error }, "jobs are not taken any more: this is repeated"))
      .then(() => {
        this.#runner = null;
        return pool.end();
      });
    ended.catch(() => {});
    return runner;
  }

  /** Takes no more jobs. Resolves when those under way are done. */
  async stop(): Promise<void> {
    const runner = await this.#runner?.catch(() => null);
    await runner?.stop().catch(() => {});
  }
}
