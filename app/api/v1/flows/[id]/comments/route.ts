import { createComment } from "@/lib/server/comments/commands";
import { newCommentSchema } from "@/lib/server/comments/comment-schema";
import { listThreads, threadFilterSchema } from "@/lib/server/comments/queries";
import { readJson, readQuery, route } from "@/lib/server/http/route";

export const GET = route<{ id: string }>((viewer, request, { id }) =>
  listThreads(viewer, id, readQuery(request, threadFilterSchema)),
);

export const POST = route<{ id: string }>(async (viewer, request, { id }) =>
  Response.json(await createComment(viewer, id, await readJson(request, newCommentSchema)), { status: 201 }),
);
