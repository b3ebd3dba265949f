import { triggerOperations } from "@/lib/server/api/trigger-operations";
import { readJson, teamRoute } from "@/lib/server/http/route";
import { createSchedule } from "@/lib/server/schedules/commands";
import { listSchedules } from "@/lib/server/schedules/queries";

export const GET = teamRoute(async (viewer) => ({ schedules: await listSchedules(viewer) }));

export const POST = teamRoute(async (viewer, request) =>
  Response.json(await createSchedule(viewer, await readJson(request, triggerOperations.createSchedule.body)), {
    status: 201,
  }),
);
