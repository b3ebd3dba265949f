import { runOperations } from "@/lib/server/api/run-operations";
import { readQuery, teamRoute, toTextDownload } from "@/lib/server/http/route";
import { exportRuns } from "@/lib/server/runs/read/export-csv";

export const GET = teamRoute(async (viewer, request) => {
  const body = await exportRuns(viewer, readQuery(request, runOperations.exportRuns.query));
  return toTextDownload(body, { name: "runs.csv", type: "text/csv" });
});
