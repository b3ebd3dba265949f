import { z } from "zod";
import { layoutSchema } from "@/lib/core/flow/edit";
import { createFlow } from "@/lib/server/flows/commands";
import { listFlows } from "@/lib/server/flows/queries";
import { readJson, route } from "@/lib/server/http/route";

const createSchema = z.strictObject({
  name: z.string().max(200).optional(),
  source: z.string().optional(),
  layout: z.optional(layoutSchema),
});

export const GET = route(async (viewer) => Response.json({ flows: await listFlows(viewer) }));

export const POST = route(async (viewer, request) => {
  const created = await createFlow(viewer, await readJson(request, createSchema, 5_000_000));
  return Response.json(created, { status: 201 });
});
