import { triggerOperations } from "@/lib/server/api/trigger-operations";
import { readJson, route } from "@/lib/server/http/route";
import { deleteWebhook, saveWebhook } from "@/lib/server/webhooks/commands";

export const PUT = route<{ id: string }>(async (viewer, request, { id }) =>
  saveWebhook(viewer, id, await readJson(request, triggerOperations.saveWebhook.body)),
);

export const DELETE = route<{ id: string }>(async (viewer, _request, { id }) => {
  await deleteWebhook(viewer, id);
  return new Response(null, { status: 204 });
});
