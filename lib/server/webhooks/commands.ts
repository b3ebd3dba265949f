import "server-only";
import { randomBytes, randomUUID } from "node:crypto";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { isInFlowOf, isLiveFlowOf, requireScope, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { getLiveFlow } from "../flows/queries";
import { getWebhook, noSuchWebhook } from "./queries";
import { storeNewSecret } from "./webhook-secret";
import type { WebhookDetail, WebhookSecret, WebhookSetting } from "./webhook-setting";

/** Most webhooks of a team. */
const mostWebhooks = 1_000;

/** Throws AppError: 404 no such flow, 409 too many. */
export async function createWebhook(viewer: Viewer, { flow, ...setting }: WebhookSetting): Promise<WebhookSecret> {
  requireScope(viewer, "flows:read");
  const db = await getDb();
  const { id: flowId, teamId } = await getLiveFlow(viewer, "flows:write", flow);
  if ((await db.webhook.count({ where: { teamId } })) >= mostWebhooks)
    throw new AppError("conflict", `A team has at most ${mostWebhooks} webhooks. Delete some first.`);
  const id = randomUUID();
  const token = randomBytes(24).toString("base64url");
  const now = new Date();
  const creator = { createdById: viewer.id, createdBy: viewer.name, createdAt: now, updatedAt: now };
  const secret = await storeNewSecret({ id, teamId }, (columns) =>
    db.webhook.upsert({
      where: { id, teamId },
      create: { id, teamId, flowId, token, ...setting, ...columns, ...creator },
      update: columns,
    }),
  );
  const detail = { flow: flowId };
  await recordAudit(db, viewer, { teamId, action: "webhook.created", object: toObject(id, setting), detail });
  return { webhook: await getWebhook(viewer, id), secret };
}

/** Replaces all of a webhook's setting; its address and secret stay. Throws AppError `not_found`. */
export async function saveWebhook(
  viewer: Viewer,
  id: string,
  { flow, ...setting }: WebhookSetting,
): Promise<WebhookDetail> {
  requireScope(viewer, "flows:read");
  const db = await getDb();
  const { id: flowId, teamId } = await getLiveFlow(viewer, "flows:write", flow);
  await db.$transaction(async (tx) => {
    const { count } = await tx.webhook.updateMany({
      where: { AND: [{ id, teamId }, isInFlowOf(viewer, "flows:write")] },
      data: { flowId, ...setting, updatedAt: new Date() },
    });
    if (count === 0) throw noSuchWebhook();
    const detail = { flow: flowId, enabled: setting.enabled };
    await recordAudit(tx, viewer, { teamId, action: "webhook.changed", object: toObject(id, setting), detail });
  });
  return getWebhook(viewer, id);
}

/** Makes a new secret; requests signed with the one before are refused from now on. Throws AppError `not_found`. */
export async function renewWebhookSecret(viewer: Viewer, id: string): Promise<WebhookSecret> {
  requireScope(viewer, "flows:read");
  const db = await getDb();
  const where = { id, ...isInFlowOf(viewer, "flows:write"), flow: isLiveFlowOf(viewer, "flows:write") };
  const row = await db.webhook.findFirst({ where, select: { id: true, teamId: true, name: true } });
  if (!row) throw noSuchWebhook();
  const secret = await storeNewSecret(row, async (columns) => {
    const { count } = await db.webhook.updateMany({ where, data: { ...columns, updatedAt: new Date() } });
    if (count === 0) throw noSuchWebhook();
  });
  await recordAudit(db, viewer, { teamId: row.teamId, action: "webhook.renewed", object: toObject(id, row) });
  return { webhook: await getWebhook(viewer, id), secret };
}

/** Its runs stay. Throws AppError `not_found`. */
export async function deleteWebhook(viewer: Viewer, id: string): Promise<void> {
  const db = await getDb();
  const where = { id, ...isInFlowOf(viewer, "flows:write") };
  await db.$transaction(async (tx) => {
    const webhook = await tx.webhook.findFirst({ where, select: { teamId: true, name: true } });
    const { count } = await tx.webhook.deleteMany({ where });
    if (!webhook || count === 0) throw noSuchWebhook();
    const { teamId } = webhook;
    await recordAudit(tx, viewer, { teamId, action: "webhook.deleted", object: toObject(id, webhook) });
  });
}

const toObject = (id: string, { name }: { name: string }) => ({ type: "webhook", id, name }) as const;
