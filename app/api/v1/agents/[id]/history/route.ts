import { readAgentId } from "@/lib/server/http/read-request";
import { route } from "@/lib/server/http/route";
import { getAgentHistory } from "@/lib/server/runs/read/agent-queries";

export const GET = route<{ id: string }>(async (viewer, request, { id }) =>
  Response.json(await getAgentHistory(viewer, readAgentId(request, id))),
);
