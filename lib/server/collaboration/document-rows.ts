import "server-only";
import { randomUUID } from "node:crypto";
import type { FlowContent } from "@/lib/core/live/live-document";
import { AppError } from "../app-error";
import { type Db, isUniqueViolation } from "../db";
import { readLayout } from "../stored-layout";

/** Who made an update, as its row has it. */
export interface UpdateAuthor {
  id: string;
  name: string;
}

export interface StoredUpdate {
  seq: number;
  update: Uint8Array;
}

/** A revision with what a document of it holds. */
export interface StoredRevision extends FlowContent {
  id: string;
  author: UpdateAuthor;
}

type Rows = Pick<Db, "flowDocument" | "flowUpdate">;

export const findDocument = (db: Rows, flowId: string) => db.flowDocument.findUnique({ where: { flowId } });

/** The updates after `seq`, in order. Those of the same numbers may have been merged into later ones meanwhile. */
export async function listUpdates(db: Rows, flowId: string, seq: number): Promise<StoredUpdate[]> {
  const rows = await db.flowUpdate.findMany({ where: { flowId, seq: { gt: seq } }, orderBy: { seq: "asc" } });
  return rows.map((row) => ({ seq: row.seq, update: Buffer.from(row.body, "base64") }));
}

/** Appends an update. Returns false when another process was first: its update has that number. */
export async function appendUpdate(
  db: Rows,
  flowId: string,
  { seq, update, author }: StoredUpdate & { author: UpdateAuthor },
): Promise<boolean> {
  try {
    await db.flowUpdate.create({ data: toRow(flowId, { seq, update, author }) });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

const toRow = (flowId: string, { seq, update, author }: StoredUpdate & { author: UpdateAuthor }) => ({
  flowId,
  seq,
  body: Buffer.from(update).toString("base64"),
  createdAt: new Date(),
  createdById: author.id,
  createdBy: author.name,
});

/** The head revision of a flow that is not in the trash. Throws AppError `not_found`. */
export async function getHead(db: Db, flowId: string): Promise<StoredRevision> {
  const flow = await db.flow.findFirst({ where: { id: flowId, deletedAt: null }, select: { revisionId: true } });
  if (!flow?.revisionId) throw new AppError("not_found", "There is no such flow.");
  return getStoredRevision(db, flow.revisionId);
}

/** Throws AppError `not_found`. */
export async function getStoredRevision(db: Db, id: string): Promise<StoredRevision> {
  const row = await db.revision.findUnique({ where: { id } });
  if (!row) throw new AppError("not_found", "There is no such version.");
  const author = { id: row.createdById, name: row.createdBy };
  return { id, source: row.source, layout: readLayout(row.layout), author };
}

/**
 * Stores the first update of a document, which holds the content of `head`. Of several processes that do it one succeeds;
 * the others find its rows.
 */
export async function createDocument(db: Db, flowId: string, head: StoredRevision, seed: Uint8Array): Promise<void> {
  const row = { flowId, lineage: randomUUID(), revisionId: head.id, savedSeq: 1 };
  const first = toRow(flowId, { seq: 1, update: seed, author: head.author });
  try {
    await db.$transaction([db.flowDocument.create({ data: row }), db.flowUpdate.create({ data: first })]);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
}

/**
 * Notes that the document includes the changes of a newer revision, made by `change` where there are any. Returns false, with
 * nothing stored, when another process was first.
 */
export async function includeRevision(
  db: Db,
  flowId: string,
  revisions: { from: string; to: string },
  change: (StoredUpdate & { author: UpdateAuthor }) | null,
): Promise<boolean> {
  try {
    return await db.$transaction(async (tx) => {
      const { count } = await tx.flowDocument.updateMany({
        where: { flowId, revisionId: revisions.from },
        data: { revisionId: revisions.to },
      });
      if (count === 1 && change) await tx.flowUpdate.create({ data: toRow(flowId, change) });
      return count === 1;
    });
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Puts one update, which includes all up to `seq`, in the place of them. Leaves them when `seq` was merged into a later one. */
export async function mergeUpdates(db: Db, flowId: string, { seq, update }: StoredUpdate): Promise<void> {
  await db.$transaction(async (tx) => {
    const { count } = await tx.flowUpdate.updateMany({
      where: { flowId, seq },
      data: { body: Buffer.from(update).toString("base64") },
    });
    if (count === 1) await tx.flowUpdate.deleteMany({ where: { flowId, seq: { lt: seq } } });
  });
}

/** Flows whose documents have updates that are in no revision yet. */
export async function listUnsavedDocuments(db: Db): Promise<string[]> {
  const documents = await db.flowDocument.findMany({ where: { flow: { deletedAt: null } } });
  const newest = await db.flowUpdate.groupBy({ by: ["flowId"], _max: { seq: true } });
  const seqOf = new Map(newest.map(({ flowId, _max }) => [flowId, _max.seq ?? 0]));
  return documents.flatMap(({ flowId, savedSeq }) => ((seqOf.get(flowId) ?? 0) > savedSeq ? [flowId] : []));
}
