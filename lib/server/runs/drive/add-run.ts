import "server-only";
import type { Db } from "../../db";
import { getRunQueue, usesJobs } from "../queue/run-queue";
import { getExecutor } from "./executor";

type NewRunRow = Parameters<Db["run"]["create"]>[0]["data"] & { id: string; priority: number };

/** Stores a run that waits for its turn, and its place in the queue, both or neither. */
export async function addRun(db: Db, row: NewRunRow): Promise<void> {
  const create = db.run.create({ data: row });
  const statements = getRunQueue().add(db, [row]);
  await (statements.length > 0 ? db.$transaction([create, ...statements]) : create);
  wakeExecutor();
}

/** Tells the executor of this process that a run waits, where no queue does. */
export function wakeExecutor(): void {
  if (!usesJobs()) getExecutor().wake();
}
