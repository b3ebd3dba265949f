import "server-only";
import type { Layout } from "@/lib/core/flow/edit";
import type { Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { readLayout } from "../stored-layout";
import { chooseRevision } from "./choose-revision";
import { getLiveFlow } from "./queries";
import { listRevisions, noSuchRevision, type RevisionSummary } from "./revisions";

/** A version to compare, with its text and layout. */
export interface ComparedRevision extends RevisionSummary {
  source: string;
  layout: Layout;
}

/**
 * Two versions of a flow, each by its id, as `published` or as `latest`, and the newest 100 to choose others from. Throws
 * AppError: `not_found`, `conflict` for `published` where none is.
 */
export async function compareRevisions(viewer: Viewer, flowId: string, chosen: { from: string; to: string }) {
  await getLiveFlow(viewer, "flows:read", flowId);
  const db = await getDb();
  const flow = await db.flow.findUniqueOrThrow({
    where: { id: flowId },
    select: { name: true, revisionId: true, publishedId: true },
  });
  const read = async (revision: string): Promise<ComparedRevision> => {
    const id = chooseRevision(flow, { revision, starterId: viewer.id });
    const row = await db.revision.findFirst({ where: { id, flowId }, include: { _count: { select: { runs: true } } } });
    if (!row) throw noSuchRevision();
    const { number, name, createdBy, summary, source } = row;
    const layout = readLayout(row.layout);
    return {
      id,
      number,
      name,
      createdBy,
      summary,
      source,
      layout,
      createdAt: row.createdAt.getTime(),
      runs: row._count.runs,
    };
  };
  const [from, to, { revisions }] = await Promise.all([
    read(chosen.from),
    read(chosen.to),
    listRevisions(viewer, flowId),
  ]);
  return { name: flow.name, published: flow.publishedId, from, to, revisions };
}
