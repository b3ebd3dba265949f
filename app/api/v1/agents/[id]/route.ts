import { readAgentId } from "@/lib/server/http/read-request";
import { route } from "@/lib/server/http/route";
import { getAgent } from "@/lib/server/runs/read/agent-queries";

export const GET = route<{ id: string }>(async (viewer, request, { id }) =>
  Response.json(await getAgent(viewer, readAgentId(request, id))),
);
