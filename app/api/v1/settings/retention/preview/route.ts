import { teamOperations } from "@/lib/server/api/team-operations";
import { readJson, teamRoute } from "@/lib/server/http/route";
import { previewRetention } from "@/lib/server/retention/retention";

export const POST = teamRoute(async (viewer, request) =>
  previewRetention(viewer, await readJson(request, teamOperations.previewRetention.body)),
);
