import { route } from "@/lib/server/http/route";
import { getRun } from "@/lib/server/runs/read/queries";

export const GET = route<{ id: string }>((viewer, _, { id }) => getRun(viewer, id));
