import { z } from "zod";
import { readJson, route } from "@/lib/server/http/route";
import { tellAgent } from "@/lib/server/runs/tell-agent";

const messageSchema = z.strictObject({
  agent: z.string().min(1).max(1000),
  text: z
    .string()
    .max(100_000)
    .refine((text) => text.trim() !== "", "must not be blank"),
});

/** Puts a message before the next model call of an agent at work: `agent` is its declared name, or the path of its step. */
export const POST = route<{ id: string }>(async (viewer, request, { id }) => {
  const { agent, text } = await readJson(request, messageSchema);
  await tellAgent(viewer, id, agent, text);
  return new Response(null, { status: 202 });
});
