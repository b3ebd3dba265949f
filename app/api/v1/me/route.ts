import { route } from "@/lib/server/http/route";
import { listTeams } from "@/lib/server/teams/queries";

/** The user of the request, with the teams and the role in each. */
export const GET = route(async (viewer) => ({
  user: { id: viewer.id, name: viewer.name },
  teams: await listTeams(viewer),
}));
