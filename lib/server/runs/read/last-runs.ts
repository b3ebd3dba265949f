import "server-only";
import { inTeamsOf, type Viewer } from "../../auth/viewer";
import { getDb } from "../../db";

/** The runs that rows name as their last ones, as far as they still exist. */
export async function findLastRuns(
  viewer: Viewer,
  rows: readonly { lastRunId: string | null }[],
): Promise<{ id: string; status: string }[]> {
  const ids = rows.flatMap(({ lastRunId }) => lastRunId ?? []);
  if (ids.length === 0) return [];
  const db = await getDb();
  return db.run.findMany({ where: { id: { in: ids }, ...inTeamsOf(viewer) }, select: { id: true, status: true } });
}
