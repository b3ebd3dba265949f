import { z } from "zod";
import { readJson, route } from "@/lib/server/http/route";
import { startOrchestration } from "@/lib/server/orchestration/start-orchestration";

const goalSchema = z.strictObject({
  goal: z
    .string()
    .max(500_000)
    .refine((text) => text.trim() !== "", "must not be blank"),
  /** A flow of type orchestrate; without it a lead that spawns agents like itself. */
  flow: z.string().max(100).optional(),
  /** `provider:model` for that lead. */
  model: z.string().min(1).max(200).optional(),
  /** A folder in the workspace: absolute, or relative to it. */
  projectPath: z.string().min(1).max(1000).optional(),
});

/** Sets agents to work on a goal: 202 with the run, whose agents /api/v1/agents?run= lists. */
export const POST = route(async (viewer, request) => {
  const { run, flow } = await startOrchestration(viewer, await readJson(request, goalSchema));
  return Response.json({ run, flow, agents: `/api/v1/agents?run=${run}` }, { status: 202 });
});
