import "server-only";
import { type RunStatus, runStatusSchema } from "@/lib/core/run/events/events";
import { AppError } from "../app-error";
import { inTeamsOf, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { readLayout } from "../stored-layout";

export interface FlowSummary {
  id: string;
  name: string;
  agents: number;
  /** The DSL text of the root swarm; empty when it has none. */
  outline: string;
  /** Problems that block a run. */
  errors: number;
  /** Milliseconds since the epoch. */
  updatedAt: number;
  lastRun: { id: string; status: RunStatus; at: number } | null;
}

/** The viewer's flows, newest change first; never loads a text. */
export async function listFlows(viewer: Viewer): Promise<FlowSummary[]> {
  const db = await getDb();
  const flows = await db.flow.findMany({
    where: inTeamsOf(viewer),
    orderBy: [{ updatedAt: "desc" }, { id: "asc" }],
    take: 500,
    include: { runs: { orderBy: { createdAt: "desc" }, take: 1, select: { id: true, status: true, createdAt: true } } },
  });
  return flows.map(({ id, name, agents, outline, errors, updatedAt, runs: [run] }) => ({
    id,
    name,
    agents,
    outline,
    errors,
    updatedAt: updatedAt.getTime(),
    lastRun: run ? { id: run.id, status: runStatusSchema.parse(run.status), at: run.createdAt.getTime() } : null,
  }));
}

/** The flow; `revision` is the id of its head revision. Throws AppError `not_found`, also for flows of other teams. */
export async function getFlow(viewer: Viewer, id: string) {
  const db = await getDb();
  const flow = await db.flow.findFirst({ where: { id, ...inTeamsOf(viewer) } });
  const head = flow?.revisionId ? await db.revision.findUnique({ where: { id: flow.revisionId } }) : null;
  if (!flow || !head) throw new AppError("not_found", "There is no such flow.");
  return {
    id,
    name: flow.name,
    source: head.source,
    layout: readLayout(head.layout),
    revision: head.id,
    updatedAt: flow.updatedAt.getTime(),
  };
}
