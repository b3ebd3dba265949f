import { runOperations } from "@/lib/server/api/run-operations";
import { readJson, route } from "@/lib/server/http/route";
import { tryModels } from "@/lib/server/runs/fork";

export const POST = route<{ id: string }>(async (viewer, request, { id }) =>
  Response.json(await tryModels(viewer, id, await readJson(request, runOperations.tryModels.body)), { status: 202 }),
);
