import "server-only";
import { groupBy } from "@/lib/core/flow/group-by";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { type Payload, type RunError, runStatusSchema } from "@/lib/core/run/events/events";
import type { Message } from "@/lib/core/run/events/messages";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/run-status";
import { findSpawnedAgentId, readSpawnedAgentNumber, toSpawnSuffix } from "@/lib/core/run/events/spawned-agent-id";
import { toConversation } from "@/lib/core/trace/conversation/call-messages";
import { type RunNode, storedNodeSchema } from "@/lib/core/trace/model/run-state";
import { AppError } from "../../app-error";
import { isInFlowOf, type Viewer } from "../../auth/viewer";
import { type Db, getDb } from "../../db";
import { getRunNode } from "./queries";
import { isUnderWay, listSpawned, listWaiting, type SpawnedAgent } from "./spawned-agents";

/** Names an agent: `<run>.<step>`, or with its run the id that `spawn_agent` returned (`<run>.agent-1`). */
export interface AgentId {
  id: string;
  /** Taken where the id does not begin with a run. */
  run?: string | undefined;
}

const toId = (runId: string, nodeId: number): string => `${runId}.${nodeId}`;

/** The viewer's agents, newest first: of one run, or of the newest `limit` runs and of all that have not ended. */
export async function listAgents(
  viewer: Viewer,
  { run, limit = 100 }: { run?: string | undefined; limit?: number | undefined },
): Promise<{ agents: AgentSummary[] }> {
  const db = await getDb();
  const runIds = run === undefined ? await listLatestRuns(db, viewer, limit) : [run];
  const visible = isInFlowOf(viewer, "runs:read");
  const rows = await db.runNode.findMany({
    where: { runId: { in: runIds }, kind: "agent", run: visible },
    orderBy: [{ startedAt: "desc" }, { nodeId: "desc" }],
    take: limit,
    select: { runId: true, nodeId: true, name: true, path: true, status: true, startedAt: true, endedAt: true },
  });
  const [calls, spawned, waiting] = [
    await countCalls(db, rows),
    await listSpawned(db, [...new Set(rows.map((row) => row.runId))]),
    await listWaiting(db, runIds, visible),
  ];
  const spawnedAt = new Map(spawned.map((agent) => [`${agent.run} ${agent.path}`, agent.spawnedAt]));
  const begun = rows.map(({ runId, startedAt, endedAt, ...row }) => {
    const times = { startedAt: startedAt.getTime(), endedAt: endedAt?.getTime() };
    const status = runStatusSchema.safeParse(row.status).data ?? "FAILED";
    const createdAt = spawnedAt.get(`${runId} ${row.path}`);
    return toSummary(runId, { ...row, ...times, id: row.nodeId, status, createdAt }, calls);
  });
  return { agents: [...waiting.map(toWaiting), ...begun].slice(0, limit) };
}

/** Every run that began has an agent, so that these have as many at least. */
async function listLatestRuns(db: Db, viewer: Viewer, limit: number): Promise<string[]> {
  const select = { id: true };
  const latest = await db.run.findMany({
    where: { ...isInFlowOf(viewer, "runs:read"), startedAt: { not: null } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit,
    select,
  });
  const unfinished = await db.run.findMany({
    where: { ...isInFlowOf(viewer, "runs:read"), ...isUnderWay },
    select,
  });
  return [...new Set([...unfinished, ...latest].map(({ id }) => id))];
}

interface AgentStep extends Pick<RunNode, "id" | "name" | "path" | "status" | "startedAt" | "endedAt"> {
  /** When it was spawned; missing: when it began. */
  createdAt?: number | undefined;
}

interface AgentSummary {
  id: string;
  run: string;
  path: string;
  spawned: boolean;
  spawnedId: string | null;
  name: string;
  status: RunStatus;
  toolCalls: number;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
}

/** An agent at work in some run, or that was. `id` is made of the run's and the step's. */
function toSummary(run: string, step: AgentStep, calls: ReadonlyMap<string, number>): AgentSummary {
  const { name, path, status, startedAt, endedAt } = step;
  const id = toId(run, step.id);
  /** The id that `spawn_agent` returned for it, if a lead spawned it: it names the agent within its run. */
  const spawnedId = findSpawnedAgentId(path);
  return {
    id,
    run,
    path,
    spawned: spawnedId !== null,
    spawnedId,
    name,
    status,
    toolCalls: calls.get(id) ?? 0,
    createdAt: step.createdAt ?? startedAt,
    startedAt,
    endedAt: endedAt ?? null,
  };
}

/** An agent that was spawned and waits for its turn: it has the id of `spawn_agent`, since it has no step yet. */
function toWaiting({ run, id, name, path, spawnedAt }: SpawnedAgent): AgentSummary {
  const times = { createdAt: spawnedAt, startedAt: null, endedAt: null };
  const spawned = { spawned: true, spawnedId: id };
  return { id: `${run}.${id}`, run, path, ...spawned, name, status: "INIT", toolCalls: 0, ...times };
}

/** How many tools each agent called, by its id. */
async function countCalls(
  db: Db,
  agents: readonly { runId: string; nodeId: number }[],
): Promise<ReadonlyMap<string, number>> {
  const agentsByRun = groupBy(agents, ({ runId }) => runId);
  const where = [...agentsByRun].map(([runId, steps]) => ({
    runId,
    parentId: { in: steps.map(({ nodeId }) => nodeId) },
  }));
  const counts = await db.runNode.groupBy({
    by: ["runId", "parentId"],
    where: { kind: "tool_call", OR: where },
    _count: { nodeId: true },
  });
  return new Map(counts.map(({ runId, parentId, _count }) => [toId(runId, parentId ?? 0), _count.nodeId]));
}

/** The agent's step. Throws AppError `not_found`, also for agents of other teams. */
async function getAgentNode(viewer: Viewer, agentId: AgentId): Promise<{ run: string; node: RunNode }> {
  const { run: ownRun, name } = splitId(agentId);
  const missing = new AppError(
    "not_found",
    "There is no such agent, or it has not started yet. Expected an id from /api/v1/agents, or the id that spawn_agent returned together with its run.",
  );
  if (ownRun === undefined) throw missing;
  const number = /^\d{1,9}$/.test(name) ? Number(name) : await findSpawned(ownRun, name);
  const node = number === null ? null : await findNode(viewer, ownRun, number);
  if (!node || (node.kind !== "agent" && findSpawnedAgentId(node.path) === null)) throw missing;
  return { run: ownRun, node };
}

/** The step of the agent that was spawned under this id. */
async function findSpawned(runId: string, id: string): Promise<number | null> {
  const number = readSpawnedAgentNumber(id);
  if (number === null) return null;
  const db = await getDb();
  const rows = await db.runNode.findMany({
    where: { runId, path: { endsWith: toSpawnSuffix(number) } },
    select: { nodeId: true, path: true },
  });
  return rows.find(({ path }) => findSpawnedAgentId(path) === id)?.nodeId ?? null;
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
export async function getAgent(
  viewer: Viewer,
  agentId: AgentId,
): Promise<AgentSummary & { task: Payload; error?: RunError }> {
  const waiting = await findWaiting(viewer, agentId);
  if (waiting) return { ...toWaiting(waiting), task: waiting.task };
  const { run, node } = await getAgentNode(viewer, agentId);
  const db = await getDb();
  const calls = await countCalls(db, [{ runId: run, nodeId: node.id }]);
  const spawned = findSpawnedAgentId(node.path) === null ? [] : await listSpawned(db, [run]);
  const createdAt = spawned.find(({ path }) => path === node.path)?.spawnedAt;
  return {
    ...toSummary(run, { ...node, createdAt }, calls),
    task: node.input,
    ...(node.error && { error: node.error }),
  };
}

/** The agent that was spawned under this id and has not begun. */
async function findWaiting(viewer: Viewer, agentId: AgentId): Promise<SpawnedAgent | null> {
  const { run, name } = splitId(agentId);
  if (run === undefined || readSpawnedAgentNumber(name) === null) return null;
  const waiting = await listWaiting(await getDb(), [run], isInFlowOf(viewer, "runs:read"));
  return waiting.find(({ id }) => id === name) ?? null;
}

function splitId({ id, run: givenRun }: AgentId): { run: string | undefined; name: string } {
  const [, run = givenRun, name = id] = /^([\w-]{1,100})\.(.{1,1000})$/s.exec(id) ?? [];
  return { run, name };
}

/** What the agent came to; while it is at work its text so far. Throws AppError `not_found`. */
export async function getAgentResult(
  viewer: Viewer,
  agentId: AgentId,
): Promise<{ id: string; status: RunStatus; isOver: boolean; result: Payload; error?: RunError }> {
  const waiting = await findWaiting(viewer, agentId);
  if (waiting) return { id: toWaiting(waiting).id, status: "INIT", isOver: false, result: { text: "" } };
  const { run, node } = await getAgentNode(viewer, agentId);
  const { status, output, error } = node;
  return { id: toId(run, node.id), status, isOver: isTerminal(status), result: output, ...(error && { error }) };
}

/** The conversation of the agent up to its last model call, and every tool call with its result. Throws AppError `not_found`. */
export async function getAgentHistory(viewer: Viewer, agentId: AgentId) {
  const { run, node } = await getAgentNode(viewer, agentId);
  const db = await getDb();
  const last = await db.runNode.findFirst({
    where: { runId: run, parentId: node.id, kind: "llm_call" },
    orderBy: { nodeId: "desc" },
    select: { nodeId: true },
  });
  const messages: Message[] = last
    ? toConversation(await getRunNode(viewer, run, last.nodeId))
    : [{ role: "user", content: node.input.text }];
  return { id: toId(run, node.id), messages, calls: await listCalls(db, run, node.id) };
}

/** The tool calls of an agent. `step`: the RunNode, under which its whole texts are found. */
async function listCalls(db: Db, runId: string, agent: number) {
  const rows = await db.runNode.findMany({
    where: { runId, parentId: agent, kind: "tool_call" },
    orderBy: { nodeId: "asc" },
    select: { body: true },
  });
  return rows.map(({ body }) => {
    const { id, name, input, status, output, error, startedAt, endedAt } = parseJsonAs(body, storedNodeSchema);
    const call = { step: id, tool: name, arguments: input, status, result: output, ...(error && { error }) };
    return { ...call, startedAt, endedAt: endedAt ?? null };
  });
}
