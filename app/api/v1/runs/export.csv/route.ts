import { runOperations } from "@/lib/server/api/run-operations";
import { readQuery, teamRoute } from "@/lib/server/http/route";
import { exportRuns } from "@/lib/server/runs/read/export-csv";

export const GET = teamRoute(async (viewer, request) => {
  const body = await exportRuns(viewer, readQuery(request, runOperations.exportRuns.query));
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="runs.csv"',
      "cache-control": "no-store",
    },
  });
});
