import { route } from "@/lib/server/http/route";
import { getRunFlow } from "@/lib/server/runs/read/queries";

export const GET = route<{ id: string }>((viewer, _, { id }) => getRunFlow(viewer, id));
