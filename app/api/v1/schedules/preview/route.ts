import { readJson, route } from "@/lib/server/http/route";
import { previewSchedule } from "@/lib/server/schedules/commands";
import { scheduleTimesSchema } from "@/lib/server/schedules/schedule-setting";

export const POST = route(async (_viewer, request) => previewSchedule(await readJson(request, scheduleTimesSchema)));
