import { readJson, route } from "@/lib/server/http/route";
import { createWebhook } from "@/lib/server/webhooks/commands";
import { listWebhooks } from "@/lib/server/webhooks/queries";
import { webhookSchema } from "@/lib/server/webhooks/webhook-setting";

export const GET = route(async (viewer) => ({ webhooks: await listWebhooks(viewer) }));

export const POST = route(async (viewer, request) =>
  Response.json(await createWebhook(viewer, await readJson(request, webhookSchema)), { status: 201 }),
);
