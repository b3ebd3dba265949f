import "server-only";
import { findJsonAs } from "@/lib/core/flow/parse-json";
import type { FlowThumbnail } from "@/lib/core/layout/thumbnail/thumbnail";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { isLiveFlowOf, requireScope, requireTeam, type Viewer } from "../auth/viewer";
import { readFlowOutline, readFlowText } from "../cpu-worker/read-flow-text";
import { type Db, getDb } from "../db";
import { createFlowCopy } from "../flows/commands";
import type { SavedFlow } from "../flows/flow-rows";
import type { FlowOutline } from "../flows/outline/flow-outline";
import { toMissingFlowError } from "../flows/queries";
import { readPictures } from "../flows/stored-pictures";
import { thumbnailSchema } from "../flows/thumbnail-schema";
import { readLayout } from "../stored-layout";
import { type LinkedFlow, openLink, readLinkedFlow } from "./open-link";

/** Shows a flow to everyone in the gallery, or no longer. Throws AppError `not_found`. */
export async function listInGallery(viewer: Viewer, flowId: string, isListed: boolean): Promise<void> {
  requireScope(viewer, "flows:read");
  const db = await getDb();
  const where = { id: flowId, ...isLiveFlowOf(viewer, "team:manage") };
  const flow = await db.flow.findFirst({ where, select: { teamId: true, name: true } });
  if (!flow) throw await toMissingFlowError(viewer, flowId);
  await db.$transaction(async (tx) => {
    await tx.flow.updateMany({ where, data: { listedAt: isListed ? new Date() : null } });
    const action = isListed ? "flow.listed" : "flow.unlisted";
    const object = { type: "flow", id: flowId, name: flow.name } as const;
    await recordAudit(tx, viewer, { teamId: flow.teamId, action, object });
  });
}

/** Whether the gallery shows a flow. Throws AppError `not_found`. */
export async function isInGallery(viewer: Viewer, flowId: string): Promise<boolean> {
  const db = await getDb();
  const where = { id: flowId, ...isLiveFlowOf(viewer, "flows:read") };
  const flow = await db.flow.findFirst({ where, select: { listedAt: true } });
  if (!flow) throw await toMissingFlowError(viewer, flowId);
  return flow.listedAt !== null;
}

/** A flow as the gallery lists it. What it was copied from is for its team: the original may be private. */
export interface GalleryFlow {
  id: string;
  name: string;
  team: string;
  agents: number;
  picture: FlowThumbnail | null;
}

const pageSize = 60;
const isListed = { listedAt: { not: null }, deletedAt: null };

/** The flows of the gallery for everyone, in their published versions, the newest first, 60 a page; `page` begins with 1. */
export async function listGallery(page = 1): Promise<{ flows: GalleryFlow[]; hasMore: boolean }> {
  const db = await getDb();
  const rows = await db.flow.findMany({
    where: isListed,
    orderBy: [{ listedAt: "desc" }, { id: "asc" }],
    skip: (page - 1) * pageSize,
    take: pageSize + 1,
    select: {
      ...{ id: true, name: true, agents: true },
      ...{ teamId: true, revisionId: true, publishedId: true },
    },
  });
  const listed = rows.slice(0, pageSize);
  const teams = await readTeamNames(db, listed);
  const published = await readPublished(db, listed);
  const pictures = await readPictures(
    db,
    listed.map(({ id }) => id),
  );
  const flows = listed.map(({ id, teamId, ...draft }): GalleryFlow => {
    const { name, agents, picture } = published.get(id) ?? { ...draft, picture: pictures.get(id) ?? "" };
    return { id, name, agents, team: teams.get(teamId) ?? "", picture: findJsonAs(picture, thumbnailSchema) };
  });
  return { flows, hasMore: rows.length > pageSize };
}

type ShownOutline = Pick<FlowOutline, "name" | "agents" | "picture">;

/** Outlines of published revisions, which never change. */
const outlines = new Map<string, ShownOutline>();
const maxOutlines = 1000;

/** By flow, the outlines of published versions that are not the newest: the rows of flows have those of the newest. */
async function readPublished(
  db: Db,
  flows: readonly { id: string; revisionId: string | null; publishedId: string | null }[],
): Promise<ReadonlyMap<string, ShownOutline>> {
  const older = flows.filter(({ revisionId, publishedId }) => publishedId !== null && publishedId !== revisionId);
  const missing = older.flatMap(({ publishedId }) => (publishedId && !outlines.has(publishedId) ? publishedId : []));
  const revisions = await db.revision.findMany({
    where: { id: { in: missing } },
    select: { id: true, source: true },
  });
  if (outlines.size + revisions.length > maxOutlines) outlines.clear();
  for (const { id, source } of revisions) outlines.set(id, await readShownOutline(source));
  return new Map(
    older.flatMap(({ id, publishedId }) => {
      const outline = outlines.get(publishedId ?? "");
      return outline ? [[id, outline]] : [];
    }),
  );
}

async function readShownOutline(source: string): Promise<ShownOutline> {
  const { name, agents, picture } = (await readFlowOutline(source, {}, { teamId: null })).outline;
  return { name, agents, picture };
}

async function readTeamNames(db: Db, flows: readonly { teamId: string }[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(flows.map(({ teamId }) => teamId))];
  const teams = await db.team.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  return new Map(teams.map(({ id, name }) => [id, name]));
}

export interface PublicFlow extends LinkedFlow {
  description: string | null;
  agents: number;
  agentNames: string[];
}

/** A flow of the gallery, for everyone. Throws AppError `not_found`. */
export async function getGalleryFlow(id: string): Promise<PublicFlow> {
  const db = await getDb();
  const flow = await db.flow.findFirst({
    where: { id, ...isListed },
    select: { teamId: true, revisionId: true, publishedId: true },
  });
  const revisionId = flow && (flow.publishedId ?? flow.revisionId);
  const revision = revisionId && (await db.revision.findFirst({ where: { id: revisionId, flowId: id } }));
  if (!flow || !revision) throw new AppError("not_found", "The gallery has no such flow.");
  const teams = await readTeamNames(db, [flow]);
  const { description, agents } = (await readFlowText(revision.source, {}, { teamId: null })).flow;
  const { name } = await readShownOutline(revision.source);
  return {
    ...{ name, agents: agents.size, team: teams.get(flow.teamId) ?? "" },
    ...{ description: description ?? null, agentNames: [...agents.keys()] },
    ...{ source: revision.source, layout: readLayout(revision.layout) },
  };
}

/** Where a flow for everyone is taken from: the gallery, or a link. */
export type PublicSource = { flow: string } | { token: string };

/**
 * Copies a flow for everyone into the one team of the viewer; the copy says what it was copied from. Keys and connections are no
 * part of a flow. Throws AppError: `not_found`, and as `requireTeam` does.
 */
export async function copyPublicFlow(viewer: Viewer, from: PublicSource): Promise<SavedFlow & { id: string }> {
  requireTeam(viewer, "flows:write");
  const original = "flow" in from ? await getGalleryFlow(from.flow) : await readLinkedFlow(await openLink(from.token));
  const { name, team, source, layout } = original;
  return createFlowCopy(viewer, { source, layout, copiedFrom: `“${name}” of ${team}` });
}
