import { route } from "@/lib/server/http/route";
import { getRun } from "@/lib/server/runs/read/queries";

export const GET = route<{ id: string }>(async (viewer, _, { id }) => Response.json(await getRun(viewer, id)));
