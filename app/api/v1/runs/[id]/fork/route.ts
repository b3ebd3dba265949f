import { runOperations } from "@/lib/server/api/run-operations";
import { readJson, route } from "@/lib/server/http/route";
import { forkRun } from "@/lib/server/runs/fork";

export const POST = route<{ id: string }>(async (viewer, request, { id }) =>
  Response.json(await forkRun(viewer, id, await readJson(request, runOperations.forkRun.body)), { status: 202 }),
);
