import { commentOperations } from "@/lib/server/api/comment-operations";
import { listInbox } from "@/lib/server/comments/inbox";
import { readQuery, route } from "@/lib/server/http/route";

export const GET = route((viewer, request) => listInbox(viewer, readQuery(request, commentOperations.listInbox.query)));
