import { z } from "zod";
import { runStatusSchema } from "@/lib/core/run/events";
import { readQuery, route } from "@/lib/server/http";
import { listRuns } from "@/lib/server/runs/queries";

const listSchema = z.object({
  flowId: z.string().optional(),
  status: z.optional(runStatusSchema),
  before: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
});

export const GET = route(async (viewer, request) =>
  Response.json(await listRuns(viewer, readQuery(request, listSchema))),
);
