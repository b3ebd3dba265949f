import { z } from "zod";
import { readQuery } from "@/lib/server/http/read-request";
import { route } from "@/lib/server/http/route";
import { searchModels } from "@/lib/server/models/model-offers";

const querySchema = z.strictObject({
  query: z.string().max(200).default(""),
  limit: z.coerce.number().int().min(1).max(100).default(60),
});

/** Models to choose from, with what is known of each. */
export const GET = route(async (_viewer, request) => {
  const { query, limit } = readQuery(request, querySchema);
  return Response.json({ models: searchModels(query, limit) });
});
