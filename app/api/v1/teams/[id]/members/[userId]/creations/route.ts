import { route } from "@/lib/server/http/route";
import { listMemberCreations } from "@/lib/server/teams/member-creations";

/** What a member made that goes on after the member has left. */
export const GET = route<{ id: string; userId: string }>(async (viewer, _, { id, userId }) => ({
  creations: await listMemberCreations(viewer, id, userId),
}));
