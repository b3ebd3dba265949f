import { shareLinkOperations } from "@/lib/server/api/share-link-operations";
import { readJson, route } from "@/lib/server/http/route";
import { createFlowLink, listFlowLinks } from "@/lib/server/share-links/share-links";

export const GET = route<{ id: string }>(async (viewer, _, { id }) => ({ links: await listFlowLinks(viewer, id) }));

export const POST = route<{ id: string }>(async (viewer, request, { id }) => {
  const setting = await readJson(request, shareLinkOperations.createFlowLink.body);
  return Response.json(await createFlowLink(viewer, id, setting), { status: 201 });
});
