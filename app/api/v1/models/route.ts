import { z } from "zod";
import { requireTeam } from "@/lib/server/auth/viewer";
import { readQuery, teamRoute } from "@/lib/server/http/route";
import { searchModels } from "@/lib/server/models/model-offers";
import { listTeamProviders } from "@/lib/server/offer";

const querySchema = z.strictObject({
  query: z.string().max(200).default(""),
  limit: z.coerce.number().int().min(1).max(100).default(60),
});

/** Models to choose from, with what is known of each. */
export const GET = teamRoute((viewer, request) => {
  const { query, limit } = readQuery(request, querySchema);
  return { models: searchModels(query, limit, listTeamProviders(requireTeam(viewer, "flows:read"))) };
});
