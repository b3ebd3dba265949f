import { readJson, route } from "@/lib/server/http/route";
import { tryModels, whatIfSchema } from "@/lib/server/runs/fork";

export const POST = route<{ id: string }>(async (viewer, request, { id }) =>
  Response.json(await tryModels(viewer, id, await readJson(request, whatIfSchema)), { status: 202 }),
);
