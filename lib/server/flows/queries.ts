import "server-only";
import { AppError } from "../app-error";
import type { Permission } from "../auth/permissions";
import { isFlowOf, isLiveFlowOf, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { readLayout } from "../stored-layout";

export const noSuchFlow = (): AppError =>
  new AppError("not_found", "There is no such flow, or your role does not allow this.");

/** Why a flow cannot be found: it does not exist for the viewer, or it is in the trash. */
export async function toMissingFlowError(viewer: Viewer, id: string): Promise<AppError> {
  if (!(await findTrashedFlow(viewer, id))) return noSuchFlow();
  return new AppError("not_found", "This flow is in the trash. Restore it first.");
}

/** A flow in the trash; null for all others. Times in milliseconds since the epoch. */
export async function findTrashedFlow(viewer: Viewer, id: string): Promise<{ name: string; deletedAt: number } | null> {
  const db = await getDb();
  const flow = await db.flow.findFirst({
    where: { id, ...isFlowOf(viewer, "flows:read"), deletedAt: { not: null } },
    select: { name: true, deletedAt: true },
  });
  return flow?.deletedAt ? { name: flow.name, deletedAt: flow.deletedAt.getTime() } : null;
}

/** A flow that is not in the trash, and in which the viewer has a permission. Throws AppError `not_found`. */
export async function getLiveFlow(
  viewer: Viewer,
  permission: Permission,
  id: string,
): Promise<{ id: string; teamId: string; name: string }> {
  const db = await getDb();
  const flow = await db.flow.findFirst({
    where: { id, ...isLiveFlowOf(viewer, permission) },
    select: { id: true, teamId: true, name: true },
  });
  if (!flow) throw await toMissingFlowError(viewer, id);
  return flow;
}

/**
 * The flow; `revision` is the id of its head revision, and `number` that one's position. Throws AppError `not_found`, also for flows of other teams and in the
 * trash.
 */
export async function getFlow(viewer: Viewer, id: string, permission: Permission = "flows:read") {
  const db = await getDb();
  const flow = await db.flow.findFirst({
    where: { id, ...isLiveFlowOf(viewer, permission) },
    select: { teamId: true, name: true, revisionId: true, tags: true, copiedFrom: true, updatedAt: true },
  });
  const head = flow?.revisionId ? await db.revision.findUnique({ where: { id: flow.revisionId } }) : null;
  if (!flow || !head) throw await toMissingFlowError(viewer, id);
  return {
    id,
    teamId: flow.teamId,
    name: flow.name,
    source: head.source,
    layout: readLayout(head.layout),
    revision: head.id,
    number: head.number,
    tags: flow.tags,
    copiedFrom: flow.copiedFrom,
    updatedAt: flow.updatedAt.getTime(),
  };
}

/** The names of the viewer's flows, those in the trash included, in order of their names; at most 1,000. */
export async function listFlowNames(viewer: Viewer): Promise<{ id: string; name: string; isInTrash: boolean }[]> {
  const db = await getDb();
  const flows = await db.flow.findMany({
    where: isFlowOf(viewer, "flows:read"),
    orderBy: [{ updatedAt: "desc" }, { id: "asc" }],
    take: 1000,
    select: { id: true, name: true, deletedAt: true },
  });
  return flows
    .map(({ id, name, deletedAt }) => ({ id, name, isInTrash: deletedAt !== null }))
    .sort((a, b) => Number(a.isInTrash) - Number(b.isInTrash) || a.name.localeCompare(b.name));
}
