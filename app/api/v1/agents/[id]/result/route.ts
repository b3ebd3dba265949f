import { stepOperations } from "@/lib/server/api/step-operations";
import { readQuery, route } from "@/lib/server/http/route";
import { getAgentResult } from "@/lib/server/runs/read/agent-queries";

/** 200 once the agent has ended, well or badly; 202 while it is at work. */
export const GET = route<{ id: string }>(async (viewer, request, { id }) => {
  const result = await getAgentResult(viewer, { id, ...readQuery(request, stepOperations.getAgentResult.query) });
  return Response.json(result, { status: result.isOver ? 200 : 202 });
});
