import "server-only";
import { isInFlowOf, type Viewer } from "../../auth/viewer";
import { getDb } from "../../db";
import { getRunHead, type RunSummary, readSummary } from "../store/run-rows";
import { type ForkOrigin, toForkOrigin } from "./fork-origin";

export type RunFork = Pick<RunSummary, "id" | "status" | "error" | "usage" | "createdAt" | "durationMs"> &
  Omit<ForkOrigin, "runId">;

const mostForks = 50;

/** The newest runs that continue a run, the newest first. Throws AppError `not_found`. */
export async function listForks(viewer: Viewer, runId: string): Promise<RunFork[]> {
  await getRunHead(viewer, runId);
  const db = await getDb();
  const rows = await db.run.findMany({
    where: { forkedFrom: runId, ...isInFlowOf(viewer, "runs:read") },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: mostForks,
    omit: { messages: true, output: true, search: true },
  });
  return rows.flatMap((row) => {
    const origin = toForkOrigin(row);
    if (!origin) return [];
    const { id, status, error, usage, createdAt, durationMs } = readSummary(row);
    const { runId: _, ...change } = origin;
    return [{ id, status, error, usage, createdAt, durationMs, ...change }];
  });
}
