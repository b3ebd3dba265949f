import { flowOperations } from "@/lib/server/api/flow-operations";
import { getPublication, publishFlow, unpublishFlow } from "@/lib/server/flows/publish";
import { readJson, route } from "@/lib/server/http/route";

export const GET = route<{ id: string }>((viewer, _, { id }) => getPublication(viewer, id));

export const POST = route<{ id: string }>(async (viewer, request, { id }) => {
  const { revision } = await readJson(request, flowOperations.publishFlow.body);
  return publishFlow(viewer, id, revision);
});

export const DELETE = route<{ id: string }>(async (viewer, _, { id }) => {
  await unpublishFlow(viewer, id);
  return new Response(null, { status: 204 });
});
