import { z } from "zod";
import { messageSchema } from "@/lib/core/run/events/messages";
import { readJson, route } from "@/lib/server/http/route";
import { startRun } from "@/lib/server/runs/commands";

const startSchema = z.strictObject({
  input: z.string().max(500_000),
  messages: z.array(messageSchema).max(1000).optional(),
  revision: z.string().optional(),
  simulate: z.boolean().optional(),
});

export const POST = route<{ id: string }>(async (viewer, request, { id }) =>
  Response.json(await startRun(viewer, id, await readJson(request, startSchema)), { status: 202 }),
);
