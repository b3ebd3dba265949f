import { AppError } from "@/lib/server/app-error";
import { route } from "@/lib/server/http";
import { getRunNode } from "@/lib/server/runs/queries";

export const GET = route<{ id: string; nodeId: string }>(async (viewer, _, { id, nodeId }) => {
  if (!/^\d{1,9}$/.test(nodeId)) throw new AppError("not_found", "There is no such step in this run.");
  return Response.json(await getRunNode(viewer, id, Number(nodeId)));
});
