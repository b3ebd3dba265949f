import { z } from "zod";
import { runFilterSchema } from "@/lib/core/trace/model/run-filter";
import { readQuery, teamRoute } from "@/lib/server/http/route";
import { exportRuns } from "@/lib/server/runs/read/export-csv";

const exportSchema = z.object(runFilterSchema.shape);

export const GET = teamRoute(async (viewer, request) => {
  const body = await exportRuns(viewer, readQuery(request, exportSchema));
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="runs.csv"',
      "cache-control": "no-store",
    },
  });
});
