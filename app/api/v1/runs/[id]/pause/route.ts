import { route } from "@/lib/server/http/route";
import { pauseRun } from "@/lib/server/runs/pause";

/** Asks a run to pause after the steps under way; the answer does not wait for that. */
export const POST = route<{ id: string }>(async (viewer, _, { id }) => {
  await pauseRun(viewer, id);
  return Response.json({ id }, { status: 202 });
});
