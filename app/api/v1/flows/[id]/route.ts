import { z } from "zod";
import { layoutSchema } from "@/lib/core/flow/edit";
import { readSource } from "@/lib/core/source/read-source";
import { deleteFlow, saveFlow } from "@/lib/server/flows/commands";
import { getFlow } from "@/lib/server/flows/queries";
import { readJson, route } from "@/lib/server/http/route";
import { currentOffer } from "@/lib/server/offer";

const saveSchema = z.strictObject({
  source: z.string(),
  layout: z.optional(layoutSchema),
  baseRevision: z.string(),
  allowEmpty: z.boolean().optional(),
});

export const GET = route<{ id: string }>(async (viewer, _, { id }) => {
  const flow = await getFlow(viewer, id);
  return { ...flow, problems: readSource(flow.source, currentOffer()).problems };
});

export const PUT = route<{ id: string }>(async (viewer, request, { id }) =>
  saveFlow(viewer, id, await readJson(request, saveSchema, 5_000_000)),
);

export const DELETE = route<{ id: string }>(async (viewer, _, { id }) => {
  await deleteFlow(viewer, id);
  return new Response(null, { status: 204 });
});
