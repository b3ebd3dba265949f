import { memberOperations } from "@/lib/server/api/member-operations";
import { readJson, route } from "@/lib/server/http/route";
import { removeMember, setMemberRole } from "@/lib/server/teams/commands";

interface Params {
  id: string;
  userId: string;
}

export const PATCH = route<Params>(async (viewer, request, { id, userId }) => {
  await setMemberRole(viewer, id, userId, (await readJson(request, memberOperations.changeMember.body)).role);
  return new Response(null, { status: 204 });
});

/** Takes a member out of the team; a member who names itself leaves it. */
export const DELETE = route<Params>(async (viewer, _, { id, userId }) => {
  await removeMember(viewer, id, userId);
  return new Response(null, { status: 204 });
});
