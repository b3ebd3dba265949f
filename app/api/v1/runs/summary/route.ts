import { z } from "zod";
import { runFilterSchema } from "@/lib/core/trace/model/run-filter";
import { readQuery, teamRoute } from "@/lib/server/http/route";
import { summarizeRuns } from "@/lib/server/runs/read/summarize-runs";

const sumsSchema = z.object({ ...runFilterSchema.shape, zone: z.string().max(100).optional() });

export const GET = teamRoute(async (viewer, request) => {
  const { zone, ...filter } = readQuery(request, sumsSchema);
  return await summarizeRuns(viewer, filter, zone);
});
