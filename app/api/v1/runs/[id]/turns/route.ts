import { stepOperations } from "@/lib/server/api/step-operations";
import { readQuery, route } from "@/lib/server/http/route";
import { listConversation } from "@/lib/server/runs/read/conversation-queries";

/**
 * The conversation of a run, in order of time: around the step `node`, before `before`, or after `after`, which are `previous` and
 * `next` of another page.
 */
export const GET = route<{ id: string }>((viewer, request, { id }) =>
  listConversation(viewer, id, readQuery(request, stepOperations.listTurns.query)),
);
