import { z } from "zod";
import { readQuery, teamRoute } from "@/lib/server/http/route";
import { listAgents } from "@/lib/server/runs/read/agent-queries";

const listSchema = z.object({
  run: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(1000).optional(),
});

export const GET = teamRoute((viewer, request) => listAgents(viewer, readQuery(request, listSchema)));
