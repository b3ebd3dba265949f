import { commentOperations } from "@/lib/server/api/comment-operations";
import { markRead } from "@/lib/server/comments/inbox";
import { readJson, route } from "@/lib/server/http/route";

export const POST = route(async (viewer, request) => {
  const { ids } = await readJson(request, commentOperations.markRead.body);
  await markRead(viewer, ids);
  return new Response(null, { status: 204 });
});
