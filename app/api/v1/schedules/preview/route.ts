import { triggerOperations } from "@/lib/server/api/trigger-operations";
import { readJson, route } from "@/lib/server/http/route";
import { previewSchedule } from "@/lib/server/schedules/commands";

export const POST = route(async (_viewer, request) =>
  previewSchedule(await readJson(request, triggerOperations.previewSchedule.body)),
);
