import { triggerOperations } from "@/lib/server/api/trigger-operations";
import { readJson, teamRoute } from "@/lib/server/http/route";
import { createWebhook } from "@/lib/server/webhooks/commands";
import { listWebhooks } from "@/lib/server/webhooks/queries";

export const GET = teamRoute(async (viewer) => ({ webhooks: await listWebhooks(viewer) }));

export const POST = teamRoute(async (viewer, request) =>
  Response.json(await createWebhook(viewer, await readJson(request, triggerOperations.createWebhook.body)), {
    status: 201,
  }),
);
