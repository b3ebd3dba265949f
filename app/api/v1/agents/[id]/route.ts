import { stepOperations } from "@/lib/server/api/step-operations";
import { readQuery, route } from "@/lib/server/http/route";
import { getAgent } from "@/lib/server/runs/read/agent-queries";

export const GET = route<{ id: string }>((viewer, request, { id }) =>
  getAgent(viewer, { id, ...readQuery(request, stepOperations.getAgent.query) }),
);
