import "server-only";
import { AppError } from "../app-error";
import { type AuditEntry, recordAudit, serverActor, toAuditRow } from "../audit/record-audit";
import { isFlowOf, isLiveFlowOf, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { logger } from "../log/logger";
import { keepUsage } from "../retention/deleted-run-usage";
import { endRunsOfFlow } from "../runs/drive/cancel-runs";
import { noSuchFlow } from "./queries";
import { tellAccessChanged } from "./tell-rooms";

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

/** What a change of a flow is recorded with. */
const named = { id: true, teamId: true, name: true, deletedAt: true } as const;

const toEntry = (action: AuditEntry["action"], { id, teamId, name }: { id: string; teamId: string; name: string }) => ({
  teamId,
  action,
  object: { type: "flow", id, name } as const,
});

/** Moves a flow to the trash; its runs under way are cancelled, and all of them stay. Throws AppError `not_found`. */
export async function trashFlow(viewer: Viewer, id: string): Promise<void> {
  const db = await getDb();
  await db.$transaction(async (tx) => {
    const where = { id, ...isLiveFlowOf(viewer, "flows:write") };
    const flow = await tx.flow.findFirst({ where, select: named });
    const { count } = await tx.flow.updateMany({ where, data: { deletedAt: new Date() } });
    if (!flow || count === 0) throw noSuchFlow();
    await recordAudit(tx, viewer, toEntry("flow.trashed", flow));
  });
  tellAccessChanged();
  await endRunsOfFlow(db, id);
}

/** Takes a flow out of the trash; nothing happens to one that is not in it. Throws AppError `not_found`. */
export async function restoreFlow(viewer: Viewer, id: string): Promise<void> {
  const db = await getDb();
  await db.$transaction(async (tx) => {
    const where = { id, ...isFlowOf(viewer, "flows:write") };
    const flow = await tx.flow.findFirst({ where, select: named });
    if (!flow) throw noSuchFlow();
    if (flow.deletedAt === null) return;
    await tx.flow.updateMany({ where, data: { deletedAt: null } });
    await recordAudit(tx, viewer, toEntry("flow.restored", flow));
  });
}

/**
 * Deletes a flow in the trash with its revisions and runs, for good. Throws AppError: `not_found`, `conflict` for a flow that
 * is not in the trash.
 */
export async function purgeFlow(viewer: Viewer, id: string): Promise<void> {
  const db = await getDb();
  await db.$transaction(async (tx) => {
    const flow = await tx.flow.findFirst({ where: { id, ...isFlowOf(viewer, "flows:write") }, select: named });
    if (!flow) throw noSuchFlow();
    await keepUsage(tx, flow.teamId, { flowId: id });
    const { count } = await tx.flow.deleteMany({ where: { id, ...inTrashOf(viewer) } });
    if (count === 0)
      throw new AppError("conflict", "Only flows in the trash can be deleted for good. Move it there first.");
    await recordAudit(tx, viewer, toEntry("flow.purged", flow));
  });
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
  const due = { deletedAt: { lte: new Date(now - trashDays * dayMs) } };
  const count = await db.$transaction(async (tx) => {
    const flows = await tx.flow.findMany({ where: due, select: named });
    await tx.auditEvent.createMany({
      data: flows.map((flow) => toAuditRow(serverActor, toEntry("flow.purged", flow))),
    });
    for (const { id, teamId } of flows) await keepUsage(tx, teamId, { flowId: id });
    await tx.flow.deleteMany({ where: { id: { in: flows.map(({ id }) => id) }, ...due } });
    return flows.length;
  });
  if (count > 0) logger.info({ flows: count }, "flows in the trash were deleted after 30 days");
  return count;
}
