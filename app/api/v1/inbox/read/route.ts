import { markRead, readSchema } from "@/lib/server/comments/inbox";
import { readJson, route } from "@/lib/server/http/route";

export const POST = route(async (viewer, request) => {
  const { ids } = await readJson(request, readSchema);
  await markRead(viewer, ids);
  return new Response(null, { status: 204 });
});
