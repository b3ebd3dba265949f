import { readAgentId, route } from "@/lib/server/http";
import { getAgent } from "@/lib/server/runs/read/agent-queries";

export const GET = route<{ id: string }>(async (viewer, request, { id }) =>
  Response.json(await getAgent(viewer, readAgentId(request, id))),
);
