import { route } from "@/lib/server/http/route";
import { getTraceSnapshot } from "@/lib/server/runs/read/trace-queries";

/** All steps of a run in columns, without texts: what its timeline begins with. */
export const GET = route<{ id: string }>(async (viewer, _, { id }) =>
  Response.json(await getTraceSnapshot(viewer, id)),
);
