import { restoreFlow } from "@/lib/server/flows/trash";
import { route } from "@/lib/server/http/route";

export const POST = route<{ id: string }>(async (viewer, _, { id }) => {
  await restoreFlow(viewer, id);
  return new Response(null, { status: 204 });
});
