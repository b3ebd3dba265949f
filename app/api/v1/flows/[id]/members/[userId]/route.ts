import { memberOperations } from "@/lib/server/api/member-operations";
import { readJson, route } from "@/lib/server/http/route";
import { setFlowRole } from "@/lib/server/teams/commands";

/** Sets the role of a member in this flow; null: the role in the team holds again. */
export const PUT = route<{ id: string; userId: string }>(async (viewer, request, { id, userId }) => {
  await setFlowRole(viewer, id, userId, (await readJson(request, memberOperations.changeFlowMember.body)).role);
  return new Response(null, { status: 204 });
});
