import "server-only";
import { keyNames, keyOfPath } from "@/lib/core/flow/node-key";
import { AppError } from "../../app-error";
import { isInFlowOf, type Viewer } from "../../auth/viewer";
import { readFlowText } from "../../cpu-worker/read-flow-text";
import { getDb } from "../../db";
import { readEdits } from "../store/node-edits";

/** What the agent of a step ran with, and a fork may change. Null: it is unset, or the flow does not declare the agent. */
export interface AgentSettings {
  instructions: string | null;
  model: string | null;
}

/** Throws AppError `not_found`: no such run or step. */
export async function getAgentSettings(viewer: Viewer, runId: string, nodeId: number): Promise<AgentSettings> {
  const db = await getDb();
  const run = await db.run.findFirst({
    where: { id: runId, ...isInFlowOf(viewer, "runs:read") },
    select: {
      teamId: true,
      edits: true,
      revision: { select: { source: true } },
      nodes: { where: { nodeId }, select: { path: true } },
    },
  });
  const [node] = run?.nodes ?? [];
  if (!run || !node) throw new AppError("not_found", "There is no such step in this run.");
  const name = keyNames(keyOfPath(node.path)).at(-1) ?? "";
  const { flow } = await readFlowText(run.revision.source, {}, { teamId: run.teamId, userId: viewer.id });
  const agent = flow.agents.get(name);
  const edit = readEdits(run.edits)?.get(node.path);
  return {
    instructions: edit?.instructions ?? agent?.instructions ?? null,
    model: edit?.model ?? agent?.model ?? null,
  };
}
