import { runOperations } from "@/lib/server/api/run-operations";
import { readQuery, teamRoute } from "@/lib/server/http/route";
import { listRuns } from "@/lib/server/runs/read/list-runs";

export const GET = teamRoute(async (viewer, request) => {
  const { flowId, flow = flowId, ...query } = readQuery(request, runOperations.listRuns.query);
  return await listRuns(viewer, { ...query, flow });
});
