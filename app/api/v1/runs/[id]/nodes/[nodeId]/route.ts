import { readNodeId, route } from "@/lib/server/http";
import { getRunNode } from "@/lib/server/runs/queries";

export const GET = route<{ id: string; nodeId: string }>(async (viewer, _, { id, nodeId }) =>
  Response.json(await getRunNode(viewer, id, readNodeId(nodeId))),
);
