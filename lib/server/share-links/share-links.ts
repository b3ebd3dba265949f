import "server-only";
import { randomBytes, randomUUID } from "node:crypto";
import type { JsonObject } from "@/lib/core/flow/flow";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { getLinkOrigin, isTeamMode } from "../auth/team-mode";
import { hashSecret } from "../auth/token";
import { isInFlowOf, requireScope, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { getLiveFlow } from "../flows/queries";
import { noSuchRun } from "../runs/store/run-rows";
import { isOpenLink } from "../teams/is-open-link";
import {
  type CreatedLink,
  type FlowLinkSetting,
  type RunLinkSetting,
  type ShareLinkDetail,
  sharedTextSchema,
} from "./share-link-setting";

/** Most links of a flow, those to its runs included, that can be used. */
const mostLinks = 100;

/** Makes a link under which everyone sees a flow. Throws AppError: `not_found`, `bad_request`, `conflict`. */
export async function createFlowLink(viewer: Viewer, flowId: string, setting: FlowLinkSetting): Promise<CreatedLink> {
  requireScope(viewer, "flows:read");
  const flow = await getLiveFlow(viewer, "shares:write", flowId);
  const { most = 0, maxCost = 0 } = setting.runs ?? {};
  const limits = { runId: null, texts: "", maxRuns: most, maxRunCost: maxCost };
  return createLink(viewer, { ...flow, ...limits, expiresAt: setting.expiresAt });
}

/** Makes a link under which everyone sees a run, with the texts that are named. Throws AppError as `createFlowLink` does. */
export async function createRunLink(viewer: Viewer, runId: string, setting: RunLinkSetting): Promise<CreatedLink> {
  requireScope(viewer, "flows:read");
  const db = await getDb();
  const run = await db.run.findFirst({ where: { id: runId, ...isInFlowOf(viewer, "runs:read") } });
  if (!run) throw noSuchRun();
  const flow = await getLiveFlow(viewer, "shares:write", run.flowId);
  const texts = [...new Set(setting.texts)].join("\n");
  return createLink(viewer, { ...flow, runId, texts, maxRuns: 0, maxRunCost: 0, expiresAt: setting.expiresAt });
}

interface NewLink {
  /** Of the flow. */
  id: string;
  teamId: string;
  name: string;
  runId: string | null;
  texts: string;
  maxRuns: number;
  maxRunCost: number;
  expiresAt: string | undefined;
}

async function createLink(viewer: Viewer, { id: flowId, name, expiresAt: expiry, ...link }: NewLink) {
  if (!isTeamMode())
    throw new AppError("conflict", "Links open for other people once this server has accounts: set SWARMLOOM_URL.");
  const origin = getLinkOrigin();
  const now = new Date();
  const expiresAt = expiry === undefined ? null : new Date(expiry);
  if (expiresAt && expiresAt <= now) throw new AppError("bad_request", "`expiresAt`: expected a time to come.");
  const db = await getDb();
  if ((await db.shareLink.count({ where: { flowId, ...isOpenLink(now) } })) >= mostLinks)
    throw new AppError("conflict", `A flow has at most ${mostLinks} links. Revoke some first.`);
  const [id, token] = [randomUUID(), randomBytes(24).toString("base64url")];
  const creator = { createdById: viewer.id, createdBy: viewer.name, createdAt: now };
  await db.$transaction(async (tx) => {
    await tx.shareLink.create({
      data: { id, flowId, ...link, tokenHash: hashSecret(token), expiresAt, ...creator },
    });
    const { texts, maxRuns, maxRunCost } = link;
    const detail: JsonObject = link.runId === null ? { flow: flowId, maxRuns, maxRunCost } : { run: link.runId, texts };
    await recordAudit(tx, viewer, {
      teamId: link.teamId,
      action: "share.created",
      object: { type: "share", id, name },
      detail: { ...detail, ...(expiry !== undefined && { expiresAt: expiry }) },
    });
  });
  return { id, url: `${origin}/s/${token}` };
}

/** The links to a flow that can be used, newest first; those to its runs too. Throws AppError `not_found`. */
export async function listFlowLinks(viewer: Viewer, flowId: string): Promise<ShareLinkDetail[]> {
  await getLiveFlow(viewer, "shares:write", flowId);
  return listLinks(await getDb(), { flowId });
}

/** The links to a run that can be used, newest first. Throws AppError `not_found`. */
export async function listRunLinks(viewer: Viewer, runId: string): Promise<ShareLinkDetail[]> {
  const db = await getDb();
  const run = await db.run.findFirst({ where: { id: runId, ...isInFlowOf(viewer, "shares:write") } });
  if (!run) throw noSuchRun();
  return listLinks(db, { runId });
}

async function listLinks(db: Db, where: { flowId: string } | { runId: string }): Promise<ShareLinkDetail[]> {
  const rows = await db.shareLink.findMany({
    where: { ...where, ...isOpenLink(new Date()) },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
  });
  return rows.map((row) => ({
    ...{ id: row.id, runId: row.runId, texts: readTexts(row.texts), views: row.views, createdBy: row.createdBy },
    runs: row.maxRuns === 0 ? null : { most: row.maxRuns, maxCost: row.maxRunCost, started: row.startedRuns },
    createdAt: row.createdAt.getTime(),
    lastViewedAt: row.lastViewedAt?.getTime() ?? null,
    expiresAt: row.expiresAt?.getTime() ?? null,
  }));
}

/** The texts that a link's column names. */
export const readTexts = (column: string) =>
  sharedTextSchema.options.filter((text) => column.split("\n").includes(text));

/** Revokes a link: nobody opens it any more, and no run starts by it. Throws AppError `not_found`. */
export async function revokeLink(viewer: Viewer, id: string): Promise<void> {
  const db = await getDb();
  const where = { id, revokedAt: null, ...isInFlowOf(viewer, "shares:write") };
  await db.$transaction(async (tx) => {
    const link = await tx.shareLink.findFirst({ where, select: { teamId: true, flow: { select: { name: true } } } });
    const { count } = await tx.shareLink.updateMany({
      where: { id, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    if (!link || count === 0) throw new AppError("not_found", "There is no such link, or it was revoked already.");
    const object = { type: "share", id, name: link.flow.name } as const;
    await recordAudit(tx, viewer, { teamId: link.teamId, action: "share.revoked", object });
  });
}
