import { catalogOperations } from "@/lib/server/api/catalog-operations";
import { requireTeam } from "@/lib/server/auth/viewer";
import { readQuery, teamRoute } from "@/lib/server/http/route";
import { searchModels } from "@/lib/server/models/model-offers";
import { listReportedModels, listTeamProviders } from "@/lib/server/offer";

/** Models to choose from, with what is known of each. */
export const GET = teamRoute(async (viewer, request) => {
  const { query, limit } = readQuery(request, catalogOperations.searchModels.query);
  const teamId = requireTeam(viewer, "flows:read");
  const offered = { providers: listTeamProviders(teamId), reported: await listReportedModels(teamId) };
  return { models: searchModels(query, limit, offered) };
});
