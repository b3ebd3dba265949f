import { route } from "@/lib/server/http/route";
import { getRunFlow } from "@/lib/server/runs/read/queries";

export const GET = route<{ id: string }>(async (viewer, _, { id }) => Response.json(await getRunFlow(viewer, id)));
