import "server-only";
import type { Layout } from "@/lib/core/flow/edit";
import { cutName, toDisplayName } from "@/lib/core/flow/list/display-name";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import type { Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { readLayout } from "../stored-layout";
import { getLiveFlow } from "./queries";

/** A stored version of a flow, without its text. `createdAt` in milliseconds since the epoch. */
export interface RevisionSummary {
  id: string;
  /** Its position among the versions of the flow, from 1. */
  number: number;
  createdAt: number;
  createdBy: string;
  /** Given by a user; null for most. */
  name: string | null;
  /** What changed since the one before, one description a line; empty when unknown. */
  summary: string;
  /** How many runs ran it. */
  runs: number;
}

const pageSize = 100;

/** The longest name of a version, in UTF-16 units. */
export const longestRevisionName = 100;

/**
 * The versions of a flow, newest first, 100 a page. `next`: the `before` of the following page. Throws AppError `not_found`;
 * `bad_request` for a `before` that is no version of the flow.
 */
export async function listRevisions(
  viewer: Viewer,
  flowId: string,
  before?: string,
): Promise<{ revisions: RevisionSummary[]; next: string | null }> {
  await getLiveFlow(viewer, "flows:read", flowId);
  const db = await getDb();
  const last = before === undefined ? null : await db.revision.findFirst({ where: { id: before, flowId } });
  if (before !== undefined && !last)
    throw new AppError("bad_request", "`before` is no version of this flow: take the `next` of another page.");
  const rows = await db.revision.findMany({
    where: {
      flowId,
      ...(last && { OR: [{ createdAt: { lt: last.createdAt } }, { createdAt: last.createdAt, id: { lt: last.id } }] }),
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: pageSize + 1,
    select: {
      id: true,
      number: true,
      createdAt: true,
      createdBy: true,
      name: true,
      summary: true,
      _count: { select: { runs: true } },
    },
  });
  const revisions = rows.slice(0, pageSize).map(({ createdAt, _count, ...revision }) => ({
    ...revision,
    createdAt: createdAt.getTime(),
    runs: _count.runs,
  }));
  return { revisions, next: rows.length > pageSize ? (revisions.at(-1)?.id ?? null) : null };
}

/** The text and layout of a version. Throws AppError `not_found`. */
export async function getRevision(
  viewer: Viewer,
  flowId: string,
  id: string,
): Promise<{ id: string; source: string; layout: Layout }> {
  await getLiveFlow(viewer, "flows:read", flowId);
  const db = await getDb();
  const revision = await db.revision.findFirst({ where: { id, flowId } });
  if (!revision) throw noSuchRevision();
  return { id, source: revision.source, layout: readLayout(revision.layout) };
}

/** Names a version; a blank name takes its name away. Throws AppError `not_found`. */
export async function nameRevision(viewer: Viewer, flowId: string, id: string, name: string): Promise<void> {
  const flow = await getLiveFlow(viewer, "flows:write", flowId);
  const db = await getDb();
  const shownName = cutName(toDisplayName(name), longestRevisionName);
  await db.$transaction(async (tx) => {
    const { count } = await tx.revision.updateMany({
      where: { id, flowId },
      data: { name: shownName === "" ? null : shownName },
    });
    if (count === 0) throw noSuchRevision();
    const object = { type: "flow", id: flowId, name: flow.name } as const;
    const detail = { revision: id, name: shownName };
    await recordAudit(tx, viewer, { teamId: flow.teamId, action: "revision.named", object, detail });
  });
}

export const noSuchRevision = (): AppError => new AppError("not_found", "The flow has no such version.");
