import { stepOperations } from "@/lib/server/api/step-operations";
import { readJson, readNodeId, route } from "@/lib/server/http/route";
import { answerQuestion } from "@/lib/server/runs/commands";

export const POST = route<{ id: string; nodeId: string }>(async (viewer, request, { id, nodeId }) => {
  await answerQuestion(viewer, id, readNodeId(nodeId), await readJson(request, stepOperations.answerQuestion.body));
  return new Response(null, { status: 204 });
});
