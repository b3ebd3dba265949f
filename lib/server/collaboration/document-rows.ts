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
type AuthoredUpdate = StoredUpdate & { author: UpdateAuthor };

/** The document of a flow as it was when it was opened. */
export interface DocumentKey {
  flowId: string;
  lineage: string;
}

export const findDocument = (db: Rows, flowId: string) => db.flowDocument.findUnique({ where: { flowId } });

/** The updates after `seq`, in order. Those of the same numbers may have been merged into later ones meanwhile. */
export async function listUpdates(db: Rows, flowId: string, seq: number): Promise<StoredUpdate[]> {
  const rows = await db.flowUpdate.findMany({ where: { flowId, seq: { gt: seq } }, orderBy: { seq: "asc" } });
  return rows.map((row) => ({ seq: row.seq, update: Buffer.from(row.body, "base64") }));
}

/**
 * Locks the rows of a document until the transaction ends. Returns false where the flow has another document. It writes,
 * because a lock is needed on both databases: what is read afterwards is what every other process has stored.
 */
async function lockDocument(tx: Rows, { flowId, lineage }: DocumentKey): Promise<boolean> {
  const { count } = await tx.flowDocument.updateMany({ where: { flowId, lineage }, data: { lineage } });
  return count === 1;
}

/** Whether no row has this number or a later one: rows with earlier numbers may have been merged into a later one. */
const isNext = async (tx: Rows, flowId: string, seq: number): Promise<boolean> =>
  !(await tx.flowUpdate.findFirst({ where: { flowId, seq: { gte: seq } }, select: { seq: true } }));

/**
 * Appends an update. Returns false when another process was first: its update has that number, or was merged into a later
 * one. Returns false, too, where the flow has another document.
 */
export function appendUpdate(db: Db, key: DocumentKey, update: AuthoredUpdate): Promise<boolean> {
  return db.$transaction(async (tx) => {
    if (!(await lockDocument(tx, key)) || !(await isNext(tx, key.flowId, update.seq))) return false;
    await tx.flowUpdate.create({ data: toRow(key.flowId, update) });
    return true;
  });
}

const toRow = (flowId: string, { seq, update, author }: AuthoredUpdate) => ({
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
export function includeRevision(
  db: Db,
  key: DocumentKey,
  revisions: { from: string; to: string },
  change: AuthoredUpdate | null,
): Promise<boolean> {
  const { flowId } = key;
  return db.$transaction(async (tx) => {
    if (!(await lockDocument(tx, key))) return false;
    if (change && !(await isNext(tx, flowId, change.seq))) return false;
    const { count } = await tx.flowDocument.updateMany({
      where: { ...key, revisionId: revisions.from },
      data: { revisionId: revisions.to },
    });
    if (count === 1 && change) await tx.flowUpdate.create({ data: toRow(flowId, change) });
    return count === 1;
  });
}

/**
 * Puts one update, which includes all up to `seq`, in the place of them. Leaves them when `seq` was merged into a later one,
 * or is of another document.
 */
export async function mergeUpdates(db: Db, key: DocumentKey, { seq, update }: StoredUpdate): Promise<void> {
  const { flowId } = key;
  await db.$transaction(async (tx) => {
    if (!(await lockDocument(tx, key))) return;
    const { count } = await tx.flowUpdate.updateMany({
      where: { flowId, seq },
      data: { body: Buffer.from(update).toString("base64") },
    });
    if (count === 1) await tx.flowUpdate.deleteMany({ where: { flowId, seq: { lt: seq } } });
  });
}

/** What `replaceDocument` begins a document with. */
export interface NewDocument {
  head: StoredRevision;
  seed: Uint8Array;
  /** Why the rows of the old one cannot be used: they are kept in the archive. Null: the head has all that they have. */
  reason: string | null;
  /** The last row that is known: nothing is done where there are others after it. Null: whatever there is. */
  lastSeq: number | null;
}

/**
 * Gives the flow a new document, which holds the content of `head`. Its first update has the next number: a process with the
 * old document finds that there is a new one. Does nothing where another process was first.
 */
export async function replaceDocument(
  db: Db,
  key: DocumentKey,
  { head, seed, reason, lastSeq }: NewDocument,
): Promise<void> {
  const { flowId, lineage } = key;
  await db.$transaction(async (tx) => {
    if (!(await lockDocument(tx, key))) return;
    const rows = await tx.flowUpdate.findMany({ where: { flowId }, orderBy: { seq: "asc" } });
    const last = rows.at(-1)?.seq ?? 0;
    if (lastSeq !== null && lastSeq !== last) return;
    const seq = last + 1;
    await tx.flowDocument.update({
      where: { flowId },
      data: { lineage: randomUUID(), revisionId: head.id, savedSeq: seq },
    });
    if (reason !== null)
      await tx.flowDocumentArchive.create({
        data: { id: lineage, flowId, createdAt: new Date(), reason, updates: JSON.stringify(rows) },
      });
    await tx.flowUpdate.create({ data: toRow(flowId, { seq, update: seed, author: head.author }) });
    await tx.flowUpdate.deleteMany({ where: { flowId, seq: { lt: seq } } });
  });
}

/** Flows whose documents have updates that are in no revision yet. */
export async function listUnsavedDocuments(db: Db): Promise<string[]> {
  const documents = await db.flowDocument.findMany({ where: { flow: { deletedAt: null } } });
  const newest = await db.flowUpdate.groupBy({ by: ["flowId"], _max: { seq: true } });
  const seqOf = new Map(newest.map(({ flowId, _max }) => [flowId, _max.seq ?? 0]));
  return documents.flatMap(({ flowId, savedSeq }) => ((seqOf.get(flowId) ?? 0) > savedSeq ? [flowId] : []));
}
