import "server-only";
import type { FlowAgents } from "@/lib/core/flow/agent-numbers";
import { fingerprintAgents } from "@/lib/core/kinds/fingerprint-agent";
import { listAgents } from "@/lib/core/kinds/list-agents";
import type { Db } from "../../db";
import { readRevision } from "../store/flow-cache";

const mostCached = 100;

export interface RevisionAgents extends FlowAgents {
  /** Of each agent that the flow contains: a fingerprint of its settings. */
  settings: Readonly<Record<string, string>>;
}

/** By id of the revision, the least recently used first. Revisions never change. */
const cachedAgents = new Map<string, RevisionAgents>();

/** The agents of the flow that a run runs. */
export async function readAgentsOfRevision(db: Db, revisionId: string): Promise<RevisionAgents> {
  const agents = cachedAgents.get(revisionId) ?? (await readAgents(db, revisionId));
  cachedAgents.delete(revisionId);
  cachedAgents.set(revisionId, agents);
  const [oldest] = cachedAgents.keys();
  if (cachedAgents.size > mostCached && oldest !== undefined) cachedAgents.delete(oldest);
  return agents;
}

async function readAgents(db: Db, revisionId: string): Promise<RevisionAgents> {
  const select = { source: true, flow: { select: { teamId: true } } } as const;
  const revision = await db.revision.findUniqueOrThrow({ where: { id: revisionId }, select });
  const flow = await readRevision(revisionId, revision.source, { teamId: revision.flow.teamId });
  const agents = listAgents(flow);
  return {
    ...agents,
    settings: fingerprintAgents(flow, agents.placed),
  };
}
