import "server-only";
import type { Db } from "../db";
import { keepUsage } from "./deleted-run-usage";

/** The team of runs that are being deleted: nobody is in it, so nobody sees half a run. */
const deletedTeam = "(deleted)";
/** Rows of one transaction: writers wait for no longer one. */
const batch = 2_000;

/**
 * Deletes a run with everything of it, in short transactions. From the first one on nobody sees it any more; what an
 * interruption leaves is deleted by `deleteRemains`. A run that has not ended is left alone, and one that a run continues
 * which has not ended before `unlessContinuedSince`. Resolves to whether it was deleted.
 */
export async function deleteRun(
  db: Db,
  id: string,
  { unlessContinuedSince }: { unlessContinuedSince?: Date } = {},
): Promise<boolean> {
  const isMarked = await db.$transaction(async (tx) => {
    const where = { id, endedAt: { not: null } };
    const run = await tx.run.findFirst({ where, select: { teamId: true } });
    if (!run) return false;
    if (unlessContinuedSince && (await isContinued(tx, id, unlessContinuedSince))) return false;
    if (run.teamId !== deletedTeam) await keepUsage(tx, run.teamId, { id });
    const { count } = await tx.run.updateMany({ where, data: { teamId: deletedTeam } });
    return count > 0;
  });
  if (!isMarked) return false;
  await deleteParts(db, id);
  await db.run.deleteMany({ where: { id } });
  return true;
}

const isContinued = async (tx: Pick<Db, "run">, id: string, since: Date): Promise<boolean> =>
  (await tx.run.count({ where: { forkedFrom: id, OR: [{ endedAt: null }, { endedAt: { gte: since } }] } })) > 0;

/** Deletes what interrupted deletions left. */
export async function deleteRemains(db: Db): Promise<void> {
  const runs = await db.run.findMany({ where: { teamId: deletedTeam }, select: { id: true } });
  for (const { id } of runs) {
    await deleteParts(db, id);
    await db.run.deleteMany({ where: { id } });
  }
}

async function deleteParts(db: Db, runId: string): Promise<void> {
  for (;;) {
    const first = await db.runEvent.findFirst({ where: { runId }, orderBy: { seq: "asc" }, select: { seq: true } });
    if (!first) break;
    await db.runEvent.deleteMany({ where: { runId, seq: { lt: first.seq + batch } } });
  }
  for (;;) {
    const first = await db.runPayload.findFirst({
      where: { runId },
      orderBy: { nodeId: "asc" },
      select: { nodeId: true },
    });
    if (!first) break;
    await db.runPayload.deleteMany({ where: { runId, nodeId: { lt: first.nodeId + batch } } });
  }
  for (;;) {
    const first = await db.runNode.findFirst({
      where: { runId },
      orderBy: { nodeId: "asc" },
      select: { nodeId: true },
    });
    if (!first) break;
    await db.runNode.deleteMany({ where: { runId, nodeId: { lt: first.nodeId + batch } } });
  }
}
