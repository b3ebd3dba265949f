import { narrowToTeam } from "@/lib/server/auth/viewer";
import { route } from "@/lib/server/http/route";
import { listMembers } from "@/lib/server/teams/queries";

export const GET = route<{ id: string }>(async (viewer, _, { id }) => ({
  members: await listMembers(narrowToTeam(viewer, id)),
}));
