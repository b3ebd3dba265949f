import { flowOperations } from "@/lib/server/api/flow-operations";
import { createFlow } from "@/lib/server/flows/commands";
import { listFlows } from "@/lib/server/flows/list-flows";
import { listTrash } from "@/lib/server/flows/trash";
import { readJson, readQuery, teamRoute } from "@/lib/server/http/route";

export const GET = teamRoute(async (viewer, request) => {
  const { trash, ...query } = readQuery(request, flowOperations.listFlows.query);
  if (trash === "1") return { flows: await listTrash(viewer) };
  const { flows, matching } = await listFlows(viewer, query);
  return { flows: flows.map(({ picture: _, ...flow }) => flow), matching };
});

export const POST = teamRoute(async (viewer, request) => {
  const created = await createFlow(viewer, await readJson(request, flowOperations.createFlow.body, 5_000_000));
  return Response.json(created, { status: 201 });
});
