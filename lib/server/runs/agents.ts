import "server-only";
import { isTerminal, type Payload, type RunError, type RunStatus, runStatusSchema } from "@/lib/core/run/events";
import type { Message } from "@/lib/core/run/messages";
import { readSource } from "@/lib/core/source/read-source";
import { writeSource } from "@/lib/core/source/write-source";
import { toConversation } from "@/lib/core/trace/conversation";
import type { RunNode } from "@/lib/core/trace/run-state";
import { AppError } from "../app-error";
import { inTeamsOf, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { createFlow } from "../flows/commands";
import { getFlow } from "../flows/queries";
import { findDefaultModel } from "../models/providers";
import { startRun } from "./commands";
import { getRunNode } from "./queries";

/** An agent at work in some run, or that was. `id` is made of the run's and the step's. */
export interface AgentSummary {
  id: string;
  run: string;
  name: string;
  path: string;
  /** Whether a lead spawned it. */
  spawned: boolean;
  status: RunStatus;
  startedAt: number;
  endedAt: number | null;
}

const toId = (runId: string, nodeId: number): string => `${runId}.${nodeId}`;

/** The viewer's agents, newest first. */
export async function listAgents(
  viewer: Viewer,
  { run, limit = 100 }: { run?: string | undefined; limit?: number | undefined },
): Promise<{ agents: AgentSummary[] }> {
  const db = await getDb();
  const rows = await db.runNode.findMany({
    where: { kind: "agent", run: inTeamsOf(viewer), ...(run !== undefined && { runId: run }) },
    orderBy: [{ startedAt: "desc" }, { nodeId: "desc" }],
    take: limit,
    select: { runId: true, nodeId: true, name: true, path: true, status: true, startedAt: true, endedAt: true },
  });
  return {
    agents: rows.map(({ runId, nodeId, name, path, status, startedAt, endedAt }) => ({
      id: toId(runId, nodeId),
      run: runId,
      name,
      path,
      spawned: /#spawn-\d+$/.test(path),
      status: runStatusSchema.parse(status),
      startedAt: startedAt.getTime(),
      endedAt: endedAt?.getTime() ?? null,
    })),
  };
}

/** The agent's step. Throws AppError `not_found`, also for agents of other teams. */
async function getAgentNode(viewer: Viewer, id: string): Promise<{ run: string; node: RunNode }> {
  const [, run, number] = /^([\w-]{1,100})\.(\d{1,9})$/.exec(id) ?? [];
  const found = run !== undefined && number !== undefined ? await findNode(viewer, run, Number(number)) : null;
  if (run === undefined || found?.kind !== "agent") throw new AppError("not_found", "There is no such agent.");
  return { run, node: found };
}

async function findNode(viewer: Viewer, run: string, node: number): Promise<RunNode | null> {
  try {
    return await getRunNode(viewer, run, node);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  }
}

/** Throws AppError `not_found`. */
export async function getAgent(viewer: Viewer, id: string): Promise<AgentSummary & { task: Payload }> {
  const { run, node } = await getAgentNode(viewer, id);
  const { name, path, status, startedAt, endedAt, input } = node;
  const spawned = /#spawn-\d+$/.test(path);
  return { id, run, name, path, spawned, status, startedAt, endedAt: endedAt ?? null, task: input };
}

/** What the agent came to; while it is at work what it has said so far. Throws AppError `not_found`. */
export async function getAgentResult(
  viewer: Viewer,
  id: string,
): Promise<{ id: string; status: RunStatus; isOver: boolean; result: Payload; error?: RunError }> {
  const { status, output, error } = (await getAgentNode(viewer, id)).node;
  return { id, status, isOver: isTerminal(status), result: output, ...(error && { error }) };
}

/** The conversation of the agent up to its last model call. Throws AppError `not_found`. */
export async function getAgentHistory(viewer: Viewer, id: string): Promise<{ id: string; messages: Message[] }> {
  const { run, node } = await getAgentNode(viewer, id);
  const db = await getDb();
  const call = await db.runNode.findFirst({
    where: { runId: run, parentId: node.id, kind: "llm_call" },
    orderBy: { nodeId: "desc" },
    select: { nodeId: true },
  });
  if (!call) return { id, messages: [{ role: "user", content: node.input.text }] };
  return { id, messages: toConversation(await getRunNode(viewer, run, call.nodeId)) };
}

/** The flow behind goals that name no flow of their own: a lead that spawns agents like itself. */
const toGoalFlow = (model: string): string =>
  writeSource(
    readSource(
      [
        `name: ${JSON.stringify(`Goals, ${model}`)}`,
        "agents:",
        "  lead:",
        `    model: ${JSON.stringify(model)}`,
        "    instructions: Reach the goal. Spawn an agent for each part that can be done on its own, go on meanwhile, wait for them, and answer from what they found.",
        "    tools: [calculator, current_time, http_request]",
        "swarm: { type: orchestrate, agents: [lead] }",
      ].join("\n"),
    ).flow,
  );

/** Starts agents on a goal and returns at once. Throws AppError: `bad_request` when the flow is no orchestrate swarm, `not_found`. */
export async function startOrchestration(
  viewer: Viewer,
  { goal, flow, model = findDefaultModel() }: { goal: string; flow?: string | undefined; model?: string | undefined },
): Promise<{ run: string; flow: string }> {
  const id = flow ?? (await findGoalFlow(viewer, model));
  const { source } = await getFlow(viewer, id);
  const { type } = readSource(source).flow.swarm;
  if (type !== "orchestrate")
    throw new AppError(
      "bad_request",
      `\`flow\`: expected a flow whose root swarm is of type orchestrate, found ${type}.`,
    );
  const { id: run } = await startRun(viewer, id, { input: goal });
  return { run, flow: id };
}

/** The viewer's flow for goals with this model; made when there is none yet. */
async function findGoalFlow(viewer: Viewer, model: string): Promise<string> {
  const source = toGoalFlow(model);
  const { name } = readSource(source).flow;
  const db = await getDb();
  const known = await db.flow.findFirst({
    where: { ...inTeamsOf(viewer), name: name.slice(0, 200) },
    orderBy: { createdAt: "asc" },
    select: { id: true },
  });
  return known?.id ?? (await createFlow(viewer, { source })).id;
}
