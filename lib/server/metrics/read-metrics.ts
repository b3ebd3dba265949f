import "server-only";
import { runStatuses } from "@/lib/core/run/events/run-status";
import { getDb, getStorageFault } from "../db";
import { logger } from "../log/logger";
import { getMetrics } from "./metrics";

/** The metrics of this process and of its database, as Prometheus reads them. Those of the database are missing while it cannot be read. */
export async function readMetrics(): Promise<{ text: string; contentType: string }> {
  const { registry, databaseUp } = getMetrics();
  databaseUp.set((await countRuns()) && getStorageFault() === null ? 1 : 0);
  return { text: await registry.metrics(), contentType: registry.contentType };
}

/** Sets the numbers of stored runs; false when they cannot be read. */
async function countRuns(): Promise<boolean> {
  const { storedRuns } = getMetrics();
  storedRuns.reset();
  // A start that is under way is not waited for: the process has metrics before.
  if (!globalThis.swarmloomServices) return false;
  try {
    const db = await getDb();
    const counts = await db.run.groupBy({ by: ["status"], _count: { _all: true } });
    const byStatus = new Map(counts.map(({ status, _count }) => [status, _count._all]));
    for (const status of runStatuses) storedRuns.set({ status }, byStatus.get(status) ?? 0);
    return true;
  } catch (error) {
    logger.warn({ err: error }, "the runs could not be counted for the metrics");
    return false;
  }
}
