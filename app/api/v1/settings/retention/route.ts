import { teamOperations } from "@/lib/server/api/team-operations";
import { readJson, teamRoute } from "@/lib/server/http/route";
import { findRetention, saveRetention } from "@/lib/server/retention/retention";

/** Which runs of the team are deleted as time passes; for administrators. */
export const GET = teamRoute(findRetention);

export const PUT = teamRoute(async (viewer, request) =>
  saveRetention(viewer, await readJson(request, teamOperations.saveRetention.body)),
);
