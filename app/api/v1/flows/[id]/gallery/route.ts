import { shareLinkOperations } from "@/lib/server/api/share-link-operations";
import { readJson, route } from "@/lib/server/http/route";
import { isInGallery, listInGallery } from "@/lib/server/share-links/gallery";

export const GET = route<{ id: string }>(async (viewer, _, { id }) => ({ listed: await isInGallery(viewer, id) }));

export const PUT = route<{ id: string }>(async (viewer, request, { id }) => {
  const { listed } = await readJson(request, shareLinkOperations.setGalleryState.body);
  await listInGallery(viewer, id, listed);
  return new Response(null, { status: 204 });
});
