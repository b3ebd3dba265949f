import { route } from "@/lib/server/http/route";
import { getTraceSnapshot } from "@/lib/server/runs/read/trace-queries";

/** All steps of a run in columns, without texts: what its timeline begins with. */
export const GET = route<{ id: string }>((viewer, _, { id }) => getTraceSnapshot(viewer, id));
