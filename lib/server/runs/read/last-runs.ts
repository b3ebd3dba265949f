import "server-only";
import { z } from "zod";
import { type RunStatus, runStatuses } from "@/lib/core/run/events/run-status";
import { isInFlowOf, type Viewer } from "../../auth/viewer";
import { getDb } from "../../db";

/** A run that a schedule or a webhook started last. */
export interface LastRun {
  id: string;
  status: RunStatus;
}

const statusSchema = z.enum(runStatuses);

/** The runs that rows name as their last ones, as far as they still exist. */
export async function findLastRuns(viewer: Viewer, rows: readonly { lastRunId: string | null }[]): Promise<LastRun[]> {
  const ids = rows.flatMap(({ lastRunId }) => lastRunId ?? []);
  if (ids.length === 0) return [];
  const db = await getDb();
  const runs = await db.run.findMany({
    where: { id: { in: ids }, ...isInFlowOf(viewer, "runs:read") },
    select: { id: true, status: true },
  });
  return runs.flatMap(({ id, status }) => {
    const { data } = statusSchema.safeParse(status);
    return data ? [{ id, status: data }] : [];
  });
}
