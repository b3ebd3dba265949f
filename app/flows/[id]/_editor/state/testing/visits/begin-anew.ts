import { seedDocument } from "@/lib/core/live/live-document";
import { findDocument, getHead, replaceDocument } from "@/lib/server/collaboration/document-rows";
import { getDb } from "@/lib/server/db";

/**
 * Begins the shared document of a flow with its newest version again, as the server does with one that has become too large.
 * Only where that version has all of it. Returns whether it did.
 */
export async function beginAnew(flowId: string): Promise<boolean> {
  const db = await getDb();
  const document = await findDocument(db, flowId);
  if (!document) return false;
  const last = await db.flowUpdate.findFirst({ where: { flowId }, orderBy: { seq: "desc" } });
  const lastSeq = last?.seq ?? 0;
  const head = await getHead(db, flowId);
  if (lastSeq > document.savedSeq || head.id !== document.revisionId) return false;
  await replaceDocument(db, document, { head, seed: seedDocument(head), reason: null, lastSeq });
  return (await findDocument(db, flowId))?.lineage !== document.lineage;
}
