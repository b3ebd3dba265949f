import { route } from "@/lib/server/http/route";
import { revokeKey } from "@/lib/server/keys/keys";

export const DELETE = route<{ id: string }>(async (viewer, _request, { id }) => {
  await revokeKey(viewer, id);
  return new Response(null, { status: 204 });
});
