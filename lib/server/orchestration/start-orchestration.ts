import "server-only";
import path from "node:path";
import { z } from "zod";
import { emptyLayout } from "@/lib/core/flow/edit";
import { readSource } from "@/lib/core/source/read-source";
import { writeSource } from "@/lib/core/source/write-source";
import { AppError } from "../app-error";
import { isLiveFlowOf, requireTeam, type Viewer } from "../auth/viewer";
import { readFlowText } from "../cpu-worker/read-flow-text";
import { getDb } from "../db";
import { createFlow } from "../flows/commands";
import { hashOf } from "../flows/flow-rows";
import { getFlow } from "../flows/queries";
import { findDefaultModel } from "../models/model-port";
import { listTeamProviders } from "../offer";
import { startRun } from "../runs/commands";
import { getTeamEnv } from "../team-env";
import { listTeamTools, workspaceTools } from "../tools/registry";
import { Workspace } from "../tools/workspace";

export const goalSchema = z.strictObject({
  goal: z
    .string()
    .max(500_000)
    .refine((text) => text.trim() !== "", "must not be blank"),
  /** A flow of type orchestrate; without it a lead that spawns agents like itself. */
  flow: z.string().max(100).optional(),
  /** `provider:model` of that lead. */
  model: z.string().min(1).max(200).optional(),
  /** A folder in the workspace that the goal is about: absolute, or relative to the workspace. */
  projectPath: z.string().min(1).max(1000).optional(),
});

/**
 * Starts agents on a goal and returns at once. Throws AppError: `bad_request` when the flow is not of type orchestrate or
 * the project is no folder of the workspace, `not_found`.
 */
export async function startOrchestration(
  viewer: Viewer,
  { goal, flow, model, projectPath }: z.infer<typeof goalSchema>,
): Promise<{ run: string; flow: string }> {
  const input =
    projectPath === undefined
      ? goal
      : `${goal}\n\n${describeProject(await findProject(projectPath, requireTeam(viewer, "runs:write")))}`;
  const id = flow ?? (await findGoalFlow(viewer, model));
  const { source, teamId } = await getFlow(viewer, id);
  const { mode: type } = (await readFlowText(source, {}, { teamId, userId: viewer.id })).flow.swarm;
  if (type !== "orchestrate")
    throw new AppError(
      "bad_request",
      `\`flow\`: expected a flow whose root swarm is of type orchestrate, found ${type}.`,
    );
  const { id: run } = await startRun(viewer, id, { input });
  return { run, flow: id };
}

/** The tools of the lead of goals that name no flow, as far as they can do anything in the team. */
const leadTools: readonly string[] = ["calculator", "current_time", "http_request", "web_search", ...workspaceTools];

/** The flow of goals that name no flow: a lead that spawns agents like itself. */
function toGoalFlow(model: string, teamId: string): string {
  const available = new Set(listTeamTools(teamId).flatMap((tool) => (tool.available ? [tool.name] : [])));
  const tools = leadTools.filter((name) => available.has(name));
  return writeSource(
    readSource(
      [
        `name: ${JSON.stringify(`Goals, ${model}`)}`,
        "agents:",
        "  lead:",
        `    model: ${JSON.stringify(model)}`,
        "    instructions: Reach the goal. Spawn an agent for each part that can be done on its own, go on meanwhile, wait for them, and answer from what they found.",
        `    tools: [${tools.join(", ")}]`,
        "swarm: { type: orchestrate, agents: [lead] }",
      ].join("\n"),
    ).flow,
  );
}

/** A flow of the viewer's whose current text is the goal flow's; created when there is none. Its name may be any. */
async function findGoalFlow(viewer: Viewer, namedModel: string | undefined): Promise<string> {
  const teamId = requireTeam(viewer, "flows:write");
  const source = toGoalFlow(namedModel ?? findDefaultModel(listTeamProviders(teamId)), teamId);
  const db = await getDb();
  const revisions = await db.revision.findMany({
    where: { hash: hashOf(source, JSON.stringify(emptyLayout)), flow: isLiveFlowOf(viewer, "runs:write") },
    orderBy: { createdAt: "asc" },
    select: { id: true, flow: { select: { id: true, revisionId: true } } },
  });
  const current = revisions.find(({ id, flow }) => flow.revisionId === id);
  return current?.flow.id ?? (await createFlow(viewer, { source })).id;
}

/** The project's folder by its name in the workspace. Throws AppError `bad_request`. */
async function findProject(projectPath: string, teamId: string): Promise<string> {
  const root = getTeamEnv(teamId).SWARMLOOM_WORKSPACE;
  if (root === undefined)
    throw new AppError(
      "bad_request",
      "`projectPath`: this server has no workspace. Set SWARMLOOM_WORKSPACE to a folder, and name one inside it.",
    );
  const workspace = await Workspace.open({ workspace: root });
  const relative = path.relative(workspace.root, path.resolve(workspace.root, projectPath));
  try {
    return (await workspace.findFolder(relative === "" ? "." : relative)).name;
  } catch (error) {
    throw new AppError(
      "bad_request",
      `\`projectPath\`: expected a folder in the workspace: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

const describeProject = (folder: string): string =>
  folder === "."
    ? "The project is the workspace. File tools take paths relative to it."
    : `The project is in the folder "${folder}" of the workspace. File tools take paths relative to the workspace.`;
