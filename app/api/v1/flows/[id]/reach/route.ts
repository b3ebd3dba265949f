import { flowOperations } from "@/lib/server/api/flow-operations";
import { confirmReach, expectImport } from "@/lib/server/flows/flow-reach";
import { readJson, route } from "@/lib/server/http/route";

export const POST = route<{ id: string }>(async (viewer, request, { id }) => {
  await confirmReach(viewer, id, (await readJson(request, flowOperations.confirmReach.body)).reach);
  return new Response(null, { status: 204 });
});

export const PUT = route<{ id: string }>(async (viewer, _request, { id }) => {
  await expectImport(viewer, id);
  return new Response(null, { status: 204 });
});
