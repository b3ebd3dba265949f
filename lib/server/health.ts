import "server-only";
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { getStorageFault, toReason } from "./db";
import { getProjectFolder } from "./env";
import { logger } from "./log/logger";
import { getExecutor } from "./runs/drive/executor";
import { usesJobs } from "./runs/queue/run-queue";
import { listWorkers } from "./runs/queue/workers";
import { sleep } from "./sleep";
import { startServices } from "./start";

export interface Health {
  status: "ok" | "failing";
  version: string;
  database: "ok" | "failing";
  /** Why it is failing, for people. */
  reason?: string;
  /** Processes that drive runs. */
  workers: number;
}

const packageSchema = z.object({ version: z.string() });

/** The longest time that a working database needs for a check, in milliseconds. */
const checkMs = 5_000;

/** Whether the database can be read, and took what was last written: after a write that failed it must take another. */
export async function getHealth(): Promise<Health> {
  const { version } = parseJsonAs(readFileSync(path.join(getProjectFolder(), "package.json"), "utf8"), packageSchema);
  const timer = new AbortController();
  const late = sleep(checkMs, timer.signal).then(() => {
    throw getStorageFault() ?? new Error(`The database did not answer within ${checkMs / 1000} s.`);
  });
  try {
    const workers = await Promise.race([checkDatabase(), late]);
    return { status: "ok", version, database: "ok", workers };
  } catch (error) {
    logger.error({ err: error }, "health check failed");
    return { status: "failing", version, database: "failing", reason: toReason(error), workers: 0 };
  } finally {
    late.catch(() => {});
    timer.abort();
  }
}

/** Returns how many processes drive runs. */
async function checkDatabase(): Promise<number> {
  const db = await startServices();
  await db.run.findFirst({ select: { id: true } });
  await getExecutor().assertStorage();
  return usesJobs() ? Math.max(1, (await listWorkers(db)).length) : 1;
}
