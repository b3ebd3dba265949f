import { runOperations } from "@/lib/server/api/run-operations";
import { readQuery, teamRoute } from "@/lib/server/http/route";
import { summarizeRuns } from "@/lib/server/runs/read/summarize-runs";

export const GET = teamRoute(async (viewer, request) => {
  const { zone, ...filter } = readQuery(request, runOperations.summarizeRuns.query);
  return await summarizeRuns(viewer, filter, zone);
});
