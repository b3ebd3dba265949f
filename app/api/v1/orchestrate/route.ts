import { stepOperations } from "@/lib/server/api/step-operations";
import { readJson, teamRoute } from "@/lib/server/http/route";
import { startOrchestration } from "@/lib/server/orchestration/start-orchestration";

/** Sets agents to work on a goal: 202 with the run, whose agents /api/v1/agents?run= lists. */
export const POST = teamRoute(async (viewer, request) => {
  const { run, flow } = await startOrchestration(
    viewer,
    await readJson(request, stepOperations.startOrchestration.body),
  );
  return Response.json({ run, flow, agents: `/api/v1/agents?run=${run}` }, { status: 202 });
});
