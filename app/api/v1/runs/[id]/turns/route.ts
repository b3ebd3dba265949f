import { z } from "zod";
import { readQuery, route } from "@/lib/server/http";
import { listTurns } from "@/lib/server/runs/turns";

const querySchema = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** What was said in a run, in order of time; `after` is the `next` of the page before. */
export const GET = route<{ id: string }>(async (viewer, request, { id }) =>
  Response.json(await listTurns(viewer, id, readQuery(request, querySchema))),
);
