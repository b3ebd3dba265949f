import { memberOperations } from "@/lib/server/api/member-operations";
import { narrowToTeam } from "@/lib/server/auth/viewer";
import { readJson, route } from "@/lib/server/http/route";
import { createInvitation, listInvitations } from "@/lib/server/teams/invitations";

export const GET = route<{ id: string }>(async (viewer, _, { id }) => ({
  invitations: await listInvitations(narrowToTeam(viewer, id)),
}));

export const POST = route<{ id: string }>(async (viewer, request, { id }) =>
  Response.json(await createInvitation(viewer, id, await readJson(request, memberOperations.createInvitation.body)), {
    status: 201,
  }),
);
