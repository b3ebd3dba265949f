import "server-only";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { isInFlowOf, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { wakeExecutor } from "./drive/add-run";
import { getExecutor } from "./drive/executor";
import { usedOwnKeys } from "./own-keys";
import { getRunQueue } from "./queue/run-queue";
import { getRunHead } from "./store/run-rows";
import { tellProcesses } from "./store/tell-processes";

const unfinished = ["INIT", "RUNNING", "WAITING", "PAUSED"];

/**
 * Asks a run to pause: no further step begins, and once none is under way the run is parked, without a process. One that
 * ends before stays as it ended. Asking again changes nothing. Throws AppError: 404 no such run, 409 it has ended, or is
 * being cancelled.
 */
export async function pauseRun(viewer: Viewer, runId: string): Promise<void> {
  await writeRequest(viewer, runId, true);
  await getExecutor().look([runId]);
  tellProcesses("asked", runId);
}

/**
 * Lets a paused run go on: it waits for its turn, and what had finished is not done again. A pause that was only asked
 * for is withdrawn; a run that was not paused goes on as it does. Throws AppError as `pauseRun` does, and `forbidden` to all but
 * the starter of a run that uses keys of the starter's own.
 */
export async function resumeRun(viewer: Viewer, runId: string): Promise<void> {
  await assertMayUseKeys(viewer, runId);
  await writeRequest(viewer, runId, false);
  const db = await getDb();
  const run = await db.run.findUnique({ where: { id: runId }, select: { id: true, status: true, priority: true } });
  // A driver that parks it after this sees that it is to go on.
  if (run?.status === "PAUSED") {
    const data = { status: "INIT", owner: null, leaseUntil: null };
    const waits = db.run.updateMany({ where: { id: runId, status: "PAUSED" }, data });
    await db.$transaction([waits, ...getRunQueue().add(db, [run])]);
    return wakeExecutor();
  }
  await getExecutor().look([runId]);
  tellProcesses("asked", runId);
}

/** Throws AppError `forbidden` when a run that uses the keys of its starter would go on by someone else. */
async function assertMayUseKeys(viewer: Viewer, runId: string): Promise<void> {
  const { ownKeys, startedById, startedBy } = await getRunHead(viewer, runId, "runs:write");
  if (ownKeys === "" || usedOwnKeys(viewer, { ownKeys, startedById })) return;
  throw new AppError(
    "forbidden",
    `This run uses keys of ${startedBy}, who alone can resume it. Retry or fork it to go on with the keys of the team.`,
  );
}

async function writeRequest(viewer: Viewer, runId: string, pauseRequested: boolean): Promise<void> {
  const { teamId, flowName } = await getRunHead(viewer, runId, "runs:write");
  const db = await getDb();
  const action = pauseRequested ? "paused" : "resumed";
  await db.$transaction(async (tx) => {
    const { count } = await tx.run.updateMany({
      where: { id: runId, ...isInFlowOf(viewer, "runs:write"), status: { in: unfinished }, cancelRequested: false },
      data: { pauseRequested },
    });
    if (count === 0)
      throw new AppError(
        "conflict",
        `The run has ended, or is being cancelled: it cannot be ${action}. Start it again.`,
      );
    const object = { type: "run", id: runId, name: flowName } as const;
    await recordAudit(tx, viewer, { teamId, action: `run.${action}`, object });
  });
}
