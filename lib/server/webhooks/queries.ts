import "server-only";
import { AppError } from "../app-error";
import { isInFlowOf, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { findLastRuns } from "../runs/read/last-runs";
import type { WebhookDetail } from "./webhook-setting";

export const noSuchWebhook = (): AppError =>
  new AppError("not_found", "There is no such webhook. It may have been deleted.");

/** The webhooks of the viewer's flows that are not in the trash, the newest first. */
export async function listWebhooks(viewer: Viewer): Promise<WebhookDetail[]> {
  return findWebhooks(viewer, {});
}

/** Throws AppError `not_found`. */
export async function getWebhook(viewer: Viewer, id: string): Promise<WebhookDetail> {
  const [webhook] = await findWebhooks(viewer, { id });
  if (!webhook) throw noSuchWebhook();
  return webhook;
}

async function findWebhooks(viewer: Viewer, where: { id?: string }): Promise<WebhookDetail[]> {
  const db = await getDb();
  const rows = await db.webhook.findMany({
    where: { AND: [isInFlowOf(viewer, "flows:read"), where, { flow: { deletedAt: null } }] },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    include: { flow: { select: { name: true } } },
  });
  const runs = await findLastRuns(viewer, rows);
  return rows.map((row) => ({
    id: row.id,
    flow: row.flowId,
    flowName: row.flow.name,
    name: row.name,
    path: `/api/hooks/${row.token}`,
    inputPath: row.inputPath,
    enabled: row.enabled,
    lastFour: row.lastFour,
    lastAt: row.lastAt?.getTime() ?? null,
    lastRun: runs.find(({ id }) => id === row.lastRunId) ?? null,
    lastProblem: row.lastProblem,
    lastProblemAt: row.lastProblemAt?.getTime() ?? null,
  }));
}
