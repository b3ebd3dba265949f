import "server-only";
import { randomBytes, randomUUID } from "node:crypto";
import { AppError } from "../app-error";
import { isInFlowOf, isLiveFlowOf, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { getLiveFlow } from "../flows/queries";
import { getWebhook, noSuchWebhook } from "./queries";
import { storeNewSecret } from "./webhook-secret";
import type { WebhookDetail, WebhookSecret, WebhookSetting } from "./webhook-setting";

/** Most webhooks of a team. */
const mostWebhooks = 1_000;

/** Throws AppError: 404 no such flow, 409 too many. */
export async function createWebhook(viewer: Viewer, { flow, ...setting }: WebhookSetting): Promise<WebhookSecret> {
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
  return { webhook: await getWebhook(viewer, id), secret };
}

/** Replaces all of a webhook's setting; its address and secret stay. Throws AppError `not_found`. */
export async function saveWebhook(
  viewer: Viewer,
  id: string,
  { flow, ...setting }: WebhookSetting,
): Promise<WebhookDetail> {
  const db = await getDb();
  const { id: flowId, teamId } = await getLiveFlow(viewer, "flows:write", flow);
  const { count } = await db.webhook.updateMany({
    where: { AND: [{ id, teamId }, isInFlowOf(viewer, "flows:write")] },
    data: { flowId, ...setting, updatedAt: new Date() },
  });
  if (count === 0) throw noSuchWebhook();
  return getWebhook(viewer, id);
}

/** Makes a new secret; requests signed with the one before are refused from now on. Throws AppError `not_found`. */
export async function renewWebhookSecret(viewer: Viewer, id: string): Promise<WebhookSecret> {
  const db = await getDb();
  const where = { id, ...isInFlowOf(viewer, "flows:write"), flow: isLiveFlowOf(viewer, "flows:write") };
  const row = await db.webhook.findFirst({ where, select: { id: true, teamId: true } });
  if (!row) throw noSuchWebhook();
  const secret = await storeNewSecret(row, async (columns) => {
    const { count } = await db.webhook.updateMany({ where, data: { ...columns, updatedAt: new Date() } });
    if (count === 0) throw noSuchWebhook();
  });
  return { webhook: await getWebhook(viewer, id), secret };
}

/** Its runs stay. Throws AppError `not_found`. */
export async function deleteWebhook(viewer: Viewer, id: string): Promise<void> {
  const db = await getDb();
  const { count } = await db.webhook.deleteMany({ where: { id, ...isInFlowOf(viewer, "flows:write") } });
  if (count === 0) throw noSuchWebhook();
}
