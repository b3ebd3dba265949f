import { z } from "zod";
import { runFilterSchema } from "@/lib/core/trace/model/run-filter";
import { readQuery, teamRoute } from "@/lib/server/http/route";
import { listRuns } from "@/lib/server/runs/read/list-runs";

const listSchema = z.object({
  ...runFilterSchema.shape,
  /** The older name of `flow`. */
  flowId: z.string().optional(),
  before: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
});

export const GET = teamRoute(async (viewer, request) => {
  const { flowId, flow = flowId, ...query } = readQuery(request, listSchema);
  return await listRuns(viewer, { ...query, flow });
});
