import { readJson, readNodeId, route } from "@/lib/server/http/route";
import { answerQuestion, answerSchema } from "@/lib/server/runs/commands";

export const POST = route<{ id: string; nodeId: string }>(async (viewer, request, { id, nodeId }) => {
  await answerQuestion(viewer, id, readNodeId(nodeId), await readJson(request, answerSchema));
  return new Response(null, { status: 204 });
});
