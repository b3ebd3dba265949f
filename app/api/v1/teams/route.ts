import { memberOperations } from "@/lib/server/api/member-operations";
import { readJson, route } from "@/lib/server/http/route";
import { createTeam } from "@/lib/server/teams/commands";
import { listTeams } from "@/lib/server/teams/queries";

export const GET = route(async (viewer) => ({ teams: await listTeams(viewer) }));

export const POST = route(async (viewer, request) => {
  const { name } = await readJson(request, memberOperations.createTeam.body);
  return Response.json(await createTeam(viewer, name), { status: 201 });
});
