import { z } from "zod";
import { readQuery, route } from "@/lib/server/http";
import { listAgents } from "@/lib/server/runs/read/agent-queries";

const listSchema = z.object({
  run: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(1000).optional(),
});

export const GET = route(async (viewer, request) =>
  Response.json(await listAgents(viewer, readQuery(request, listSchema))),
);
