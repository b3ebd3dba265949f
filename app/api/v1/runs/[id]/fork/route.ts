import { readJson, route } from "@/lib/server/http/route";
import { forkRun, forkSchema } from "@/lib/server/runs/fork";

export const POST = route<{ id: string }>(async (viewer, request, { id }) =>
  Response.json(await forkRun(viewer, id, await readJson(request, forkSchema)), { status: 202 }),
);
