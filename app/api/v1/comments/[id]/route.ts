import { changeComment, deleteComment } from "@/lib/server/comments/commands";
import { commentChangeSchema } from "@/lib/server/comments/comment-schema";
import { readJson, route } from "@/lib/server/http/route";

export const PATCH = route<{ id: string }>(async (viewer, request, { id }) => {
  await changeComment(viewer, id, await readJson(request, commentChangeSchema));
  return new Response(null, { status: 204 });
});

export const DELETE = route<{ id: string }>(async (viewer, _, { id }) => {
  await deleteComment(viewer, id);
  return new Response(null, { status: 204 });
});
