import "server-only";
import type { JsonObject } from "@/lib/core/flow/flow";
import { errorsOf, isMissingOnServer } from "@/lib/core/flow/problem";
import { AppError } from "../app-error";
import { recordAudit, serverActor } from "../audit/record-audit";
import { isLiveFlowOf, mayInFlow, requireScope, type Viewer } from "../auth/viewer";
import { readFlowText } from "../cpu-worker/read-flow-text";
import { type Db, getDb } from "../db";
import { currentOffer } from "../offer";
import { toMissingFlowError } from "./queries";
import { noSuchRevision } from "./revisions";

/** Which version API keys, schedules and webhooks run. Times in milliseconds since the epoch. */
export interface Publication {
  /** Null: they run the newest. */
  published: { id: string; number: number; name: string | null; at: number; by: string } | null;
  latest: { id: string; number: number };
  /** The newest version has the text and the positions of the published one. */
  isCurrent: boolean;
  /** Whose saves the newest version has that the published one has not; without a published one, of all saves. */
  authors: { id: string; name: string; saves: number }[];
  /** Whether the viewer may publish a version. */
  mayPublish: boolean;
}

/** Throws AppError `not_found`, also for flows in the trash. */
export async function getPublication(viewer: Viewer, flowId: string): Promise<Publication> {
  const db = await getDb();
  const flow = await db.flow.findFirst({
    where: { id: flowId, ...isLiveFlowOf(viewer, "flows:read") },
    select: { id: true, teamId: true, revisionId: true, publishedId: true, publishedAt: true, publishedBy: true },
  });
  const [published, latest] = await Promise.all([
    findRevision(db, flow?.publishedId ?? null),
    findRevision(db, flow?.revisionId ?? null),
  ]);
  if (!flow || !latest) throw await toMissingFlowError(viewer, flowId);
  const authors = await db.revision.groupBy({
    by: ["createdById"],
    where: { flowId, createdById: { not: serverActor.id }, number: { gt: published?.number ?? 0, lte: latest.number } },
    _count: true,
    _max: { createdBy: true },
    orderBy: { _count: { createdById: "desc" } },
  });
  return {
    published: published && {
      ...{ id: published.id, number: published.number, name: published.name },
      at: flow.publishedAt?.getTime() ?? 0,
      by: flow.publishedBy ?? "",
    },
    latest: { id: latest.id, number: latest.number },
    isCurrent: published?.hash === latest.hash,
    authors: authors.map(({ createdById, _count, _max }) => ({
      id: createdById,
      name: _max.createdBy ?? "",
      saves: _count,
    })),
    mayPublish: mayInFlow(viewer, flow, "flows:write"),
  };
}

const findRevision = async (db: Db, id: string | null) =>
  id === null
    ? null
    : db.revision.findUnique({ where: { id }, select: { id: true, number: true, name: true, hash: true } });

/**
 * Makes a version, by default the newest, the one that API keys, schedules and webhooks run. Throws AppError: `not_found`,
 * `bad_request` for a version with errors, which no run would accept.
 */
export async function publishFlow(viewer: Viewer, flowId: string, revision?: string): Promise<Publication> {
  requireScope(viewer, "flows:read");
  const db = await getDb();
  const flow = await getPublishableFlow(viewer, flowId);
  const chosen = await db.revision.findFirst({ where: { id: revision ?? flow.revisionId ?? "", flowId } });
  if (!chosen) throw noSuchRevision();
  // Keys and settings come and go without a save.
  const { problems } = await readFlowText(chosen.source, currentOffer(flow.teamId), {
    teamId: flow.teamId,
    userId: viewer.id,
  });
  const [first] = errorsOf(problems).filter((problem) => !isMissingOnServer(problem));
  if (first)
    throw new AppError("bad_request", `This version cannot be published, because it cannot run: ${first.message}`);
  await setPublished(
    viewer,
    { ...flow, id: flowId, action: "flow.published", detail: { revision: chosen.id, number: chosen.number } },
    { publishedId: chosen.id, publishedAt: new Date(), publishedById: viewer.id, publishedBy: viewer.name },
  );
  return getPublication(viewer, flowId);
}

/** API keys, schedules and webhooks run the newest version again. Throws AppError `not_found`. */
export async function unpublishFlow(viewer: Viewer, flowId: string): Promise<void> {
  const flow = await getPublishableFlow(viewer, flowId);
  const nothing = { publishedId: null, publishedAt: null, publishedById: null, publishedBy: null };
  await setPublished(viewer, { ...flow, id: flowId, action: "flow.unpublished", detail: {} }, nothing);
}

async function getPublishableFlow(viewer: Viewer, flowId: string) {
  const db = await getDb();
  const flow = await db.flow.findFirst({
    where: { id: flowId, ...isLiveFlowOf(viewer, "flows:write") },
    select: { teamId: true, name: true, revisionId: true },
  });
  if (!flow) throw await toMissingFlowError(viewer, flowId);
  return flow;
}

interface Publishing {
  id: string;
  teamId: string;
  name: string;
  action: "flow.published" | "flow.unpublished";
  detail: JsonObject;
}

interface PublishedColumns {
  publishedId: string | null;
  publishedAt: Date | null;
  publishedById: string | null;
  publishedBy: string | null;
}

async function setPublished(
  viewer: Viewer,
  { id, teamId, name, action, detail }: Publishing,
  data: PublishedColumns,
): Promise<void> {
  const db = await getDb();
  const count = await db.$transaction(async (tx) => {
    const changed = await tx.flow.updateMany({ where: { id, ...isLiveFlowOf(viewer, "flows:write") }, data });
    if (changed.count > 0)
      await recordAudit(tx, viewer, { teamId, action, object: { type: "flow", id, name }, detail });
    return changed.count;
  });
  if (count === 0) throw await toMissingFlowError(viewer, id);
}
