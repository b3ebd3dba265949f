import { z } from "zod";
import { listRevisions } from "@/lib/server/flows/revisions";
import { readQuery, route } from "@/lib/server/http/route";

const listSchema = z.object({ before: z.string().max(100).optional() });

export const GET = route<{ id: string }>((viewer, request, { id }) =>
  listRevisions(viewer, id, readQuery(request, listSchema).before),
);
