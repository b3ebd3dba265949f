import { z } from "zod";
import { messageSchema } from "@/lib/core/run/events/messages";
import { readJson, route } from "@/lib/server/http/route";
import { startRun } from "@/lib/server/runs/commands";
import { readIdempotencyKey, startRunOnce } from "@/lib/server/runs/start-once";

const startSchema = z.strictObject({
  input: z.string().max(500_000),
  messages: z.array(messageSchema).max(1000).optional(),
  revision: z.string().optional(),
  simulate: z.boolean().optional(),
});

export const POST = route<{ id: string }>(async (viewer, request, { id }) => {
  const key = readIdempotencyKey(request.headers);
  const options = await readJson(request, startSchema);
  if (key === null) return Response.json(await startRun(viewer, id, options), { status: 202 });
  const { id: run, isRepeated } = await startRunOnce(viewer, id, { ...options, key });
  return Response.json({ id: run }, { status: 202, headers: isRepeated ? { "idempotency-replayed": "true" } : {} });
});
