import { flowOperations } from "@/lib/server/api/flow-operations";
import { readFlowText } from "@/lib/server/cpu-worker/read-flow-text";
import { renameFlow, saveFlow, setFlowTags } from "@/lib/server/flows/commands";
import { getFlow } from "@/lib/server/flows/queries";
import { purgeFlow, trashFlow } from "@/lib/server/flows/trash";
import { readJson, readQuery, route } from "@/lib/server/http/route";
import { currentOffer } from "@/lib/server/offer";

export const GET = route<{ id: string }>(async (viewer, _request, { id }) => {
  const { teamId, tags: _, ...flow } = await getFlow(viewer, id);
  const { problems } = await readFlowText(flow.source, currentOffer(teamId), { teamId, userId: viewer.id });
  return { ...flow, problems };
});

export const PUT = route<{ id: string }>(async (viewer, request, { id }) =>
  saveFlow(viewer, id, await readJson(request, flowOperations.saveFlow.body, 5_000_000)),
);

export const PATCH = route<{ id: string }>(async (viewer, request, { id }) => {
  const { name, tags } = await readJson(request, flowOperations.changeFlow.body);
  if (tags) await setFlowTags(viewer, id, tags);
  if (name !== undefined) await renameFlow(viewer, id, name);
  return new Response(null, { status: 204 });
});

export const DELETE = route<{ id: string }>(async (viewer, request, { id }) => {
  const { purge } = readQuery(request, flowOperations.deleteFlow.query);
  await (purge === "1" ? purgeFlow(viewer, id) : trashFlow(viewer, id));
  return new Response(null, { status: 204 });
});
