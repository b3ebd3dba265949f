import { z } from "zod";
import { layoutSchema } from "@/lib/core/flow/schemas/layout-schema";
import { createFlow } from "@/lib/server/flows/commands";
import { flowSorts, listFlows } from "@/lib/server/flows/list-flows";
import { listTrash } from "@/lib/server/flows/trash";
import { readJson, readQuery, teamRoute } from "@/lib/server/http/route";

const listSchema = z.object({
  q: z.string().max(200).optional(),
  tag: z.string().max(100).optional(),
  sort: z.enum(flowSorts).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
  trash: z.enum(["0", "1"]).optional(),
});

const createSchema = z.strictObject({
  name: z.string().max(200).optional(),
  source: z.string().optional(),
  layout: z.optional(layoutSchema),
});

export const GET = teamRoute(async (viewer, request) => {
  const { trash, ...query } = readQuery(request, listSchema);
  if (trash === "1") return { flows: await listTrash(viewer) };
  const { flows, matching } = await listFlows(viewer, query);
  return { flows: flows.map(({ picture: _, ...flow }) => flow), matching };
});

export const POST = teamRoute(async (viewer, request) => {
  const created = await createFlow(viewer, await readJson(request, createSchema, 5_000_000));
  return Response.json(created, { status: 201 });
});
