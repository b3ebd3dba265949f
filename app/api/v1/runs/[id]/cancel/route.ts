import { route } from "@/lib/server/http/route";
import { cancelRun } from "@/lib/server/runs/commands";

export const POST = route<{ id: string }>(async (viewer, _, { id }) => {
  await cancelRun(viewer, id);
  return new Response(null, { status: 204 });
});
