import { z } from "zod";
import { readQuery, route } from "@/lib/server/http/route";
import { listConversation } from "@/lib/server/runs/read/conversation-queries";

const seqSchema = z.coerce.number().int().min(0).max(2_147_483_647);
const querySchema = z
  .object({
    node: seqSchema.optional(),
    before: seqSchema.optional(),
    after: seqSchema.default(0),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  })
  .transform(({ node, before, after, limit }) => {
    if (node !== undefined) return { node, limit };
    return before === undefined ? { after, limit } : { before, limit };
  });

/**
 * The conversation of a run, in order of time: around the step `node`, before `before`, or after `after`, which are `previous` and
 * `next` of another page.
 */
export const GET = route<{ id: string }>((viewer, request, { id }) =>
  listConversation(viewer, id, readQuery(request, querySchema)),
);
