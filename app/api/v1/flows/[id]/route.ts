import { z } from "zod";
import { layoutSchema } from "@/lib/core/flow/schemas/layout-schema";
import { readSource } from "@/lib/core/source/read-source";
import { renameFlow, saveFlow, setFlowTags } from "@/lib/server/flows/commands";
import { getFlow } from "@/lib/server/flows/queries";
import { purgeFlow, trashFlow } from "@/lib/server/flows/trash";
import { readJson, readQuery, route } from "@/lib/server/http/route";
import { currentOffer } from "@/lib/server/offer";

const saveSchema = z.strictObject({
  source: z.string(),
  layout: z.optional(layoutSchema),
  baseRevision: z.string(),
  allowEmpty: z.boolean().optional(),
  summary: z.string().max(20_000).optional(),
});

export const GET = route<{ id: string }>(async (viewer, _request, { id }) => {
  const { teamId, tags: _, ...flow } = await getFlow(viewer, id);
  return { ...flow, problems: readSource(flow.source, currentOffer(teamId)).problems };
});

export const PUT = route<{ id: string }>(async (viewer, request, { id }) =>
  saveFlow(viewer, id, await readJson(request, saveSchema, 5_000_000)),
);

const changeSchema = z.strictObject({
  name: z.string().max(200).optional(),
  tags: z.array(z.string().max(100)).max(50).optional(),
});

export const PATCH = route<{ id: string }>(async (viewer, request, { id }) => {
  const { name, tags } = await readJson(request, changeSchema);
  if (tags) await setFlowTags(viewer, id, tags);
  if (name !== undefined) await renameFlow(viewer, id, name);
  return new Response(null, { status: 204 });
});

const deleteSchema = z.object({ purge: z.enum(["0", "1"]).optional() });

export const DELETE = route<{ id: string }>(async (viewer, request, { id }) => {
  const { purge } = readQuery(request, deleteSchema);
  await (purge === "1" ? purgeFlow(viewer, id) : trashFlow(viewer, id));
  return new Response(null, { status: 204 });
});
