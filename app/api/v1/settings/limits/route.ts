import { teamOperations } from "@/lib/server/api/team-operations";
import { readJson, teamRoute } from "@/lib/server/http/route";
import { getRunLimits, saveRunLimits } from "@/lib/server/teams/run-limits";

export const GET = teamRoute(getRunLimits);

export const PUT = teamRoute(async (viewer, request) =>
  saveRunLimits(viewer, await readJson(request, teamOperations.saveRunLimits.body)),
);
