import "server-only";
import { AppError } from "../app-error";
import { isFlowOf, isLiveFlowOf, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { logger } from "../log/logger";
import { endRunsOfFlow } from "../runs/drive/cancel-runs";
import { noSuchFlow } from "./queries";

const dayMs = 86_400_000;
/** How long a flow stays in the trash. */
export const trashDays = 30;

/** Times in milliseconds since the epoch. */
export interface TrashedFlow {
  id: string;
  name: string;
  agents: number;
  runs: number;
  deletedAt: number;
  /** When it is deleted for good. */
  purgeAt: number;
}

const inTrashOf = (viewer: Viewer) => ({ ...isFlowOf(viewer, "flows:write"), deletedAt: { not: null } });

/** Moves a flow to the trash; its runs under way are cancelled, and all of them stay. Throws AppError `not_found`. */
export async function trashFlow(viewer: Viewer, id: string): Promise<void> {
  const db = await getDb();
  const { count } = await db.flow.updateMany({
    where: { id, ...isLiveFlowOf(viewer, "flows:write") },
    data: { deletedAt: new Date() },
  });
  if (count === 0) throw noSuchFlow();
  await endRunsOfFlow(db, id);
}

/** Takes a flow out of the trash; nothing happens to one that is not in it. Throws AppError `not_found`. */
export async function restoreFlow(viewer: Viewer, id: string): Promise<void> {
  const db = await getDb();
  const { count } = await db.flow.updateMany({
    where: { id, ...isFlowOf(viewer, "flows:write") },
    data: { deletedAt: null },
  });
  if (count === 0) throw noSuchFlow();
}

/**
 * Deletes a flow in the trash with its revisions and runs, for good. Throws AppError: `not_found`, `conflict` for a flow that
 * is not in the trash.
 */
export async function purgeFlow(viewer: Viewer, id: string): Promise<void> {
  const db = await getDb();
  const { count } = await db.flow.deleteMany({ where: { id, ...inTrashOf(viewer) } });
  if (count > 0) return;
  const isLive = await db.flow.findFirst({
    where: { id, ...isLiveFlowOf(viewer, "flows:write") },
    select: { id: true },
  });
  if (!isLive) throw noSuchFlow();
  throw new AppError("conflict", "Only flows in the trash can be deleted for good. Move it there first.");
}

/** The viewer's flows in the trash, the last deleted first; at most 500. */
export async function listTrash(viewer: Viewer): Promise<TrashedFlow[]> {
  const db = await getDb();
  const flows = await db.flow.findMany({
    where: inTrashOf(viewer),
    orderBy: [{ deletedAt: "desc" }, { id: "asc" }],
    take: 500,
    select: { id: true, name: true, agents: true, deletedAt: true },
  });
  // A count selected with the flows would be made of all runs of the database.
  const counts = await db.run.groupBy({
    by: ["flowId"],
    where: { flowId: { in: flows.map(({ id }) => id) } },
    _count: { _all: true },
  });
  const runsOf = new Map(counts.map(({ flowId, _count }) => [flowId, _count._all]));
  return flows.map(({ id, name, agents, deletedAt }) => {
    const time = deletedAt?.getTime() ?? 0;
    return { id, name, agents, runs: runsOf.get(id) ?? 0, deletedAt: time, purgeAt: time + trashDays * dayMs };
  });
}

const purgeEveryMs = 3_600_000;

/** Deletes for good what has been in the trash for 30 days, at once and then every hour. */
export function startTrashPurger(db: Db, { now = Date.now }: { now?(): number } = {}): { stop(): void } {
  const purge = (): void => {
    purgeTrash(db, now()).catch((error: unknown) => logger.error({ err: error }, "emptying the trash failed"));
  };
  purge();
  const timer = setInterval(purge, purgeEveryMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Deletes the flows that were in the trash for 30 days at `now`, in milliseconds. Resolves to their number. */
export async function purgeTrash(db: Db, now: number): Promise<number> {
  const { count } = await db.flow.deleteMany({ where: { deletedAt: { lte: new Date(now - trashDays * dayMs) } } });
  if (count > 0) logger.info({ flows: count }, "flows in the trash were deleted after 30 days");
  return count;
}
