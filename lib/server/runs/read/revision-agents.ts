import "server-only";
import type { FlowAgents } from "@/lib/core/flow/agent-numbers";
import { listAgents } from "@/lib/core/kinds/list-agents";
import type { Db } from "../../db";
import { readRevision } from "../store/flow-cache";

const mostCached = 100;

/** By id of the revision, the least recently used first. Revisions never change. */
const cachedAgents = new Map<string, FlowAgents>();

/** The agents of the flow that a run runs. */
export async function readAgentsOfRevision(db: Db, revisionId: string): Promise<FlowAgents> {
  const agents = cachedAgents.get(revisionId) ?? (await readAgents(db, revisionId));
  cachedAgents.delete(revisionId);
  cachedAgents.set(revisionId, agents);
  const [oldest] = cachedAgents.keys();
  if (cachedAgents.size > mostCached && oldest !== undefined) cachedAgents.delete(oldest);
  return agents;
}

async function readAgents(db: Db, revisionId: string): Promise<FlowAgents> {
  const select = { source: true, flow: { select: { teamId: true } } } as const;
  const { source, flow } = await db.revision.findUniqueOrThrow({ where: { id: revisionId }, select });
  return listAgents(await readRevision(revisionId, source, { teamId: flow.teamId }));
}
