import "server-only";
import { z } from "zod";
import { findJsonAs, parseJsonAs } from "@/lib/core/flow/parse-json";
import { orchestrateTools } from "@/lib/core/kinds/engine-tools";
import type { Payload } from "@/lib/core/run/events/events";
import { readSpawnedAgent, toSpawnedAgentPath, toSpawnedTask } from "@/lib/core/run/events/spawned-agent-id";
import { storedNodeSchema } from "@/lib/core/trace/model/run-state";
import type { isInFlowOf } from "../../auth/viewer";
import type { Db } from "../../db";

/** An agent that a lead spawned, also one that waits for its turn and has no step yet. */
export interface SpawnedAgent {
  run: string;
  /** As `spawn_agent` returned it. */
  id: string;
  name: string;
  path: string;
  spawnedAt: number;
  /** What it is asked. */
  task: Payload;
}

/** The agents that leads of these runs spawned, newest first. */
export async function listSpawned(db: Db, runIds: readonly string[]): Promise<SpawnedAgent[]> {
  return (await readCalls(db, runIds)).map(({ parentId: _, ...agent }) => agent);
}

/** Of runs that have begun and not ended. */
export const isUnderWay = { status: { in: ["RUNNING", "WAITING", "PAUSED"] } };

/**
 * Those of them that wait for their turn: their run goes on, and so does their lead, or it succeeded. `visible`: the runs that
 * the viewer may see.
 */
export async function listWaiting(
  db: Db,
  runIds: readonly string[],
  visible: ReturnType<typeof isInFlowOf>,
): Promise<SpawnedAgent[]> {
  const runs = await db.run.findMany({
    where: { id: { in: [...runIds] }, ...visible, ...isUnderWay },
    select: { id: true },
  });
  const unfinished = runs.map(({ id }) => id);
  const calls = await readCalls(db, unfinished);
  if (calls.length === 0) return [];
  const leads = await db.runNode.findMany({
    where: {
      status: { in: ["RUNNING", "WAITING", "SUCCESS"] },
      runId: { in: unfinished },
      nodeId: { in: [...new Set(calls.map(({ parentId }) => parentId))] },
    },
    select: { runId: true, nodeId: true },
  });
  const begun = await db.runNode.findMany({
    where: { runId: { in: unfinished }, path: { in: calls.map(({ path }) => path) } },
    select: { runId: true, path: true },
  });
  const working = new Set(leads.map(({ runId, nodeId }) => `${runId} ${nodeId}`));
  const started = new Set(begun.map(({ runId, path }) => `${runId} ${path}`));
  return calls.flatMap(({ parentId, ...agent }) =>
    working.has(`${agent.run} ${parentId}`) && !started.has(`${agent.run} ${agent.path}`) ? [agent] : [],
  );
}

const argumentsSchema = z.object({ purpose: z.string(), context: z.string().optional() });

/** Of long arguments, of which the step holds the beginning, that beginning. */
function toTask(input: Payload): Payload {
  const spawnArguments = input.length === undefined ? findJsonAs(input.text, argumentsSchema) : null;
  return spawnArguments ? { text: toSpawnedTask(spawnArguments) } : input;
}

/** The most calls that are looked at: swarms have far fewer agents. */
const mostCalls = 2_000;

async function readCalls(db: Db, runIds: readonly string[]): Promise<(SpawnedAgent & { parentId: number })[]> {
  if (runIds.length === 0) return [];
  const rows = await db.runNode.findMany({
    where: { runId: { in: [...runIds] }, kind: "tool_call", name: orchestrateTools[0], status: "SUCCESS" },
    orderBy: [{ startedAt: "desc" }, { nodeId: "desc" }],
    take: mostCalls,
    select: { runId: true, parentId: true, startedAt: true, body: true },
  });
  return rows.flatMap(({ runId, parentId, startedAt, body }) => {
    const { input, output } = parseJsonAs(body, storedNodeSchema);
    const spawned = readSpawnedAgent(output.text);
    const path = spawned && toSpawnedAgentPath(spawned);
    if (!spawned || path === null || parentId === null) return [];
    const { id, agent: name } = spawned;
    return [{ run: runId, parentId, id, name, path, spawnedAt: startedAt.getTime(), task: toTask(input) }];
  });
}
