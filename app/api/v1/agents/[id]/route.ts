import { route } from "@/lib/server/http";
import { getAgent } from "@/lib/server/runs/agents";

export const GET = route<{ id: string }>(async (viewer, _, { id }) => Response.json(await getAgent(viewer, id)));
