import { shareLinkOperations } from "@/lib/server/api/share-link-operations";
import { readJson, route } from "@/lib/server/http/route";
import { createRunLink, listRunLinks } from "@/lib/server/share-links/share-links";

export const GET = route<{ id: string }>(async (viewer, _, { id }) => ({ links: await listRunLinks(viewer, id) }));

export const POST = route<{ id: string }>(async (viewer, request, { id }) => {
  const setting = await readJson(request, shareLinkOperations.createRunLink.body);
  return Response.json(await createRunLink(viewer, id, setting), { status: 201 });
});
