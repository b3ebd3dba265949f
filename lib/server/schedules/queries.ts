import "server-only";
import { AppError } from "../app-error";
import { isInFlowOf, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { findLastRuns } from "../runs/read/last-runs";
import { missedPolicies, type ScheduleDetail } from "./schedule-setting";
import { describeScheduleTimes } from "./schedule-times";

/** The schedules of the viewer's flows that are not in the trash, the newest first. */
export async function listSchedules(viewer: Viewer): Promise<ScheduleDetail[]> {
  return findSchedules(viewer, {});
}

/** Throws AppError `not_found`. */
export async function getSchedule(viewer: Viewer, id: string): Promise<ScheduleDetail> {
  const [schedule] = await findSchedules(viewer, { id });
  if (!schedule) throw new AppError("not_found", "There is no such schedule. It may have been deleted.");
  return schedule;
}

async function findSchedules(viewer: Viewer, where: { id?: string }): Promise<ScheduleDetail[]> {
  const db = await getDb();
  const rows = await db.schedule.findMany({
    where: { AND: [isInFlowOf(viewer, "flows:read"), where, { flow: { deletedAt: null } }] },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    include: { flow: { select: { name: true } } },
  });
  const runs = await findLastRuns(viewer, rows);
  return rows.map(({ flow, flowId, lastRunId, ...row }) => ({
    id: row.id,
    flow: flowId,
    flowName: flow.name,
    name: row.name,
    cron: row.cron,
    timeZone: row.timeZone,
    input: row.input,
    missed: missedPolicies.find((policy) => policy === row.missed) ?? "once",
    overlap: row.overlap,
    enabled: row.enabled,
    description: describeScheduleTimes(row),
    nextAt: row.nextAt?.getTime() ?? null,
    lastAt: row.lastAt?.getTime() ?? null,
    lastRun: runs.find(({ id }) => id === lastRunId) ?? null,
    lastProblem: row.lastProblem,
  }));
}
