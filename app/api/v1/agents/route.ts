import { stepOperations } from "@/lib/server/api/step-operations";
import { readQuery, teamRoute } from "@/lib/server/http/route";
import { listAgents } from "@/lib/server/runs/read/agent-queries";

export const GET = teamRoute((viewer, request) =>
  listAgents(viewer, readQuery(request, stepOperations.listAgents.query)),
);
