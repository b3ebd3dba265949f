import { commentOperations } from "@/lib/server/api/comment-operations";
import { createComment } from "@/lib/server/comments/commands";
import { listThreads } from "@/lib/server/comments/queries";
import { readJson, readQuery, route } from "@/lib/server/http/route";

export const GET = route<{ id: string }>((viewer, request, { id }) =>
  listThreads(viewer, id, readQuery(request, commentOperations.listComments.query)),
);

export const POST = route<{ id: string }>(async (viewer, request, { id }) =>
  Response.json(await createComment(viewer, id, await readJson(request, commentOperations.createComment.body)), {
    status: 201,
  }),
);
