import { route } from "@/lib/server/http/route";
import { withdrawInvitation } from "@/lib/server/teams/invitations";

export const DELETE = route<{ id: string; invitationId: string }>(async (viewer, _, { id, invitationId }) => {
  await withdrawInvitation(viewer, id, invitationId);
  return new Response(null, { status: 204 });
});
