import { inboxQuerySchema, listInbox } from "@/lib/server/comments/inbox";
import { readQuery, route } from "@/lib/server/http/route";

export const GET = route((viewer, request) => listInbox(viewer, readQuery(request, inboxQuerySchema)));
