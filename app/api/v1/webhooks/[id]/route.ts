import { readJson, route } from "@/lib/server/http/route";
import { deleteWebhook, saveWebhook } from "@/lib/server/webhooks/commands";
import { webhookSchema } from "@/lib/server/webhooks/webhook-setting";

export const PUT = route<{ id: string }>(async (viewer, request, { id }) =>
  saveWebhook(viewer, id, await readJson(request, webhookSchema)),
);

export const DELETE = route<{ id: string }>(async (viewer, _request, { id }) => {
  await deleteWebhook(viewer, id);
  return new Response(null, { status: 204 });
});
