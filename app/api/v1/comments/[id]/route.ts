import { commentOperations } from "@/lib/server/api/comment-operations";
import { changeComment, deleteComment } from "@/lib/server/comments/commands";
import { readJson, route } from "@/lib/server/http/route";

export const PATCH = route<{ id: string }>(async (viewer, request, { id }) => {
  await changeComment(viewer, id, await readJson(request, commentOperations.changeComment.body));
  return new Response(null, { status: 204 });
});

export const DELETE = route<{ id: string }>(async (viewer, _, { id }) => {
  await deleteComment(viewer, id);
  return new Response(null, { status: 204 });
});
