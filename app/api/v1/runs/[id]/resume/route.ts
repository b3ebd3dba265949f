import { route } from "@/lib/server/http/route";
import { resumeRun } from "@/lib/server/runs/pause";

/** Lets a paused run go on. */
export const POST = route<{ id: string }>(async (viewer, _, { id }) => {
  await resumeRun(viewer, id);
  return Response.json({ id }, { status: 202 });
});
