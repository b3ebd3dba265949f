import { triggerOperations } from "@/lib/server/api/trigger-operations";
import { readJson, route } from "@/lib/server/http/route";
import { deleteSchedule, saveSchedule } from "@/lib/server/schedules/commands";

export const PUT = route<{ id: string }>(async (viewer, request, { id }) =>
  saveSchedule(viewer, id, await readJson(request, triggerOperations.saveSchedule.body)),
);

export const DELETE = route<{ id: string }>(async (viewer, _request, { id }) => {
  await deleteSchedule(viewer, id);
  return new Response(null, { status: 204 });
});
