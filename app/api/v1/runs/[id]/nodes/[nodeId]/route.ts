import { stepOperations } from "@/lib/server/api/step-operations";
import { readNodeId, readQuery, route } from "@/lib/server/http/route";
import { getCutNode, getRunNode } from "@/lib/server/runs/read/queries";

export const GET = route<{ id: string; nodeId: string }>(async (viewer, request, { id, nodeId }) => {
  const { cut } = readQuery(request, stepOperations.getStep.query);
  const read = cut === undefined ? getRunNode : getCutNode;
  return read(viewer, id, readNodeId(nodeId));
});
