import { catalogOperations } from "@/lib/server/api/catalog-operations";
import { requireTeam } from "@/lib/server/auth/viewer";
import { readQuery, teamRoute } from "@/lib/server/http/route";
import { searchModels } from "@/lib/server/models/model-offers";
import { listTeamProviders } from "@/lib/server/offer";

/** Models to choose from, with what is known of each. */
export const GET = teamRoute((viewer, request) => {
  const { query, limit } = readQuery(request, catalogOperations.searchModels.query);
  return { models: searchModels(query, limit, listTeamProviders(requireTeam(viewer, "flows:read"))) };
});
