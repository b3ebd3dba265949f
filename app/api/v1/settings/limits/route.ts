import { teamOperations } from "@/lib/server/api/team-operations";
import { readJson, teamRoute } from "@/lib/server/http/route";
import { getTeamLimits, saveTeamLimits } from "@/lib/server/teams/team-limits";

export const GET = teamRoute(getTeamLimits);

export const PUT = teamRoute(async (viewer, request) =>
  saveTeamLimits(viewer, await readJson(request, teamOperations.saveTeamLimits.body)),
);
