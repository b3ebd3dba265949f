import { runOperations } from "@/lib/server/api/run-operations";
import { readJson, route } from "@/lib/server/http/route";
import { tellAgent } from "@/lib/server/runs/tell-agent";

/** Puts a message before the next model call of an agent at work: `agent` is its declared name, or the path of its step. */
export const POST = route<{ id: string }>(async (viewer, request, { id }) => {
  const { agent, text } = await readJson(request, runOperations.tellAgent.body);
  await tellAgent(viewer, id, agent, text);
  return new Response(null, { status: 202 });
});
