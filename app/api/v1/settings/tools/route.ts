import { teamOperations } from "@/lib/server/api/team-operations";
import { readJson, teamRoute } from "@/lib/server/http/route";
import { getToolRules, saveToolRules } from "@/lib/server/tools/tool-rules";

export const GET = teamRoute(getToolRules);

export const PUT = teamRoute(async (viewer, request) =>
  saveToolRules(viewer, await readJson(request, teamOperations.saveToolRules.body)),
);
