import { route } from "@/lib/server/http";
import { getAgentHistory } from "@/lib/server/runs/agents";

export const GET = route<{ id: string }>(async (viewer, _, { id }) => Response.json(await getAgentHistory(viewer, id)));
