import { readAgentId, route } from "@/lib/server/http";
import { getAgentHistory } from "@/lib/server/runs/read/agent-queries";

export const GET = route<{ id: string }>(async (viewer, request, { id }) =>
  Response.json(await getAgentHistory(viewer, readAgentId(request, id))),
);
