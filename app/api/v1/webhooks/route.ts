import { readJson, teamRoute } from "@/lib/server/http/route";
import { createWebhook } from "@/lib/server/webhooks/commands";
import { listWebhooks } from "@/lib/server/webhooks/queries";
import { webhookSchema } from "@/lib/server/webhooks/webhook-setting";

export const GET = teamRoute(async (viewer) => ({ webhooks: await listWebhooks(viewer) }));

export const POST = teamRoute(async (viewer, request) =>
  Response.json(await createWebhook(viewer, await readJson(request, webhookSchema)), { status: 201 }),
);
