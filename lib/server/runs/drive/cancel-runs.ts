import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../../db";
import { tellProcesses } from "../store/tell-processes";
import { getExecutor } from "./executor";

/** Some runs: one by its id, or all of a flow. */
type RunScope = { id: string } | { flowId: string };

const toUnfinished = (scope: RunScope) => ({ ...scope, status: { in: ["INIT", "RUNNING", "WAITING", "PAUSED"] } });

/** Asks runs to stop. Calls of those that are driven here are aborted before anything is written. */
export async function cancelRuns(db: Db, scope: RunScope): Promise<void> {
  const executor = getExecutor();
  const where = toUnfinished(scope);
  const runs = await db.run.findMany({ where, select: { id: true } });
  for (const { id } of runs) executor.abort(id);
  await db.run.updateMany({ where, data: { cancelRequested: true } });
  for (const { id } of runs) {
    await executor.cancel(id);
    tellProcesses("asked", id);
  }
}

/** How long the end of cancelled runs is waited for: longer than another process needs to see the flag. */
const patienceMs = 5_000;

/** Cancels all runs of a flow and waits until they have ended, at most 5 s: a dead process may own one of them. */
export async function endRunsOfFlow(db: Db, flowId: string): Promise<void> {
  await cancelRuns(db, { flowId });
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline && (await db.run.count({ where: toUnfinished({ flowId }) })) > 0) await sleep(20);
}
