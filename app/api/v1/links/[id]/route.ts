import { route } from "@/lib/server/http/route";
import { revokeLink } from "@/lib/server/share-links/share-links";

export const DELETE = route<{ id: string }>(async (viewer, _, { id }) => {
  await revokeLink(viewer, id);
  return new Response(null, { status: 204 });
});
