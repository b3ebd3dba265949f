import { setTimeout as sleep } from "node:timers/promises";
import { toReason } from "@/lib/server/db";
import { getDatabaseLocation, getEnv } from "@/lib/server/env";
import { logger } from "@/lib/server/log/logger";
import { logConsole, openTerminalLog } from "@/lib/server/log/server-log";
import { watchLoopHolds } from "@/lib/server/metrics/loop-holds";
import { startServices } from "@/lib/server/start";
import { ignoreOutputErrors } from "./server/output-errors";
import { waitForStopRequest } from "./server/stop-request";

const longestStartWaitMs = 30_000;
/** When a shutdown is given up; runs take 5 s of it at most. */
const shutdownMs = 8_000;

/**
 * `swarmloom worker`: drives runs of the PostgreSQL database until it is asked to stop, and then hands those under way back.
 * Listens on no port. Resolves to the exit code: 0 stopped as asked, 1 it could not stop in time, 2 settings that cannot be used.
 */
export async function runWorker(): Promise<number> {
  if (getDatabaseLocation().type !== "postgresql") {
    console.error(
      "DATABASE_URL is not an address of PostgreSQL. A SQLite database has one process, the server, which drives its runs itself: set DATABASE_URL=postgresql://<user>:<password>@<host>/<database> for workers, as for the server.",
    );
    return 2;
  }
  ignoreOutputErrors();
  openTerminalLog(process.stdout);
  logConsole();
  const stopRequest = waitForStopRequest();
  let isStopping = false;
  void stopRequest.then(() => {
    isStopping = true;
  });
  watchLoopHolds();
  await startWhenPossible(() => isStopping);
  if (!isStopping) logger.info({ concurrency: getEnv().SWARMLOOM_CONCURRENCY }, "the worker is ready");
  logger.info({ reason: await stopRequest }, "the worker is stopping");
  const code = await Promise.race([shutDown(), sleep(shutdownMs, 1)]);
  if (code !== 0) logger.error("the worker did not stop in time: its runs are taken over");
  return code;
}

/** A database that is not there yet, or is being migrated, ends nothing. */
async function startWhenPossible(isStopping: () => boolean): Promise<void> {
  for (let wait = 100; !isStopping(); wait = Math.min(2 * wait, longestStartWaitMs)) {
    try {
      await startServices("worker");
      return;
    } catch (error) {
      logger.error({ reason: toReason(error) }, "the worker could not start: this is repeated");
      await sleep(wait);
    }
  }
}

async function shutDown(): Promise<number> {
  await globalThis.swarmloomServices?.endRuns();
  await globalThis.swarmloomServices?.closeDatabase();
  return 0;
}
