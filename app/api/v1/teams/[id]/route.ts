import { memberOperations } from "@/lib/server/api/member-operations";
import { readJson, route } from "@/lib/server/http/route";
import { deleteTeam, renameTeam } from "@/lib/server/teams/commands";

export const PATCH = route<{ id: string }>(async (viewer, request, { id }) => {
  await renameTeam(viewer, id, (await readJson(request, memberOperations.renameTeam.body)).name);
  return new Response(null, { status: 204 });
});

/** For good; the body names the team, to confirm it. */
export const DELETE = route<{ id: string }>(async (viewer, request, { id }) => {
  await deleteTeam(viewer, id, (await readJson(request, memberOperations.deleteTeam.body)).name);
  return new Response(null, { status: 204 });
});
