import { route } from "@/lib/server/http/route";
import { listFlowMembers } from "@/lib/server/teams/queries";

/** The members who have another role in this flow than in its team. */
export const GET = route<{ id: string }>(async (viewer, _, { id }) => ({ members: await listFlowMembers(viewer, id) }));
