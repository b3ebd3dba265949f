import { runOperations } from "@/lib/server/api/run-operations";
import { readJson, route } from "@/lib/server/http/route";
import { startRun } from "@/lib/server/runs/commands";
import { readIdempotencyKey, startRunOnce } from "@/lib/server/runs/start-once";

export const POST = route<{ id: string }>(async (viewer, request, { id }) => {
  const key = readIdempotencyKey(request.headers);
  const options = await readJson(request, runOperations.startRun.body);
  if (key === null) return Response.json(await startRun(viewer, id, options), { status: 202 });
  const { id: run, isRepeated } = await startRunOnce(viewer, id, { ...options, key });
  return Response.json({ id: run }, { status: 202, headers: isRepeated ? { "idempotency-replayed": "true" } : {} });
});
