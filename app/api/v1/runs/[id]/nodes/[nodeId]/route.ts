import { z } from "zod";
import { readNodeId, readQuery, route } from "@/lib/server/http/route";
import { getCutNode, getRunNode } from "@/lib/server/runs/read/queries";

/** `?cut=1`: large texts cut to their beginning. */
const querySchema = z.object({ cut: z.literal("1").optional() });

export const GET = route<{ id: string; nodeId: string }>(async (viewer, request, { id, nodeId }) => {
  const { cut } = readQuery(request, querySchema);
  const read = cut === undefined ? getRunNode : getCutNode;
  return read(viewer, id, readNodeId(nodeId));
});
