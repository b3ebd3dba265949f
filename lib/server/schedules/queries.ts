import "server-only";
import { AppError } from "../app-error";
import { isInFlowOf, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { waitForTurn } from "../event-loop-turns";
import { logger } from "../log/logger";
import { findLastRuns, type LastRun } from "../runs/read/last-runs";
import { missedPolicies, type ScheduleDetail } from "./schedule-setting";
import { describeScheduleTimes, findScheduleProblem } from "./schedule-times";

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
  const lastRuns = new Map(runs.map((run) => [run.id, run]));
  const schedules: ScheduleDetail[] = [];
  for (const row of rows) {
    schedules.push(toDetail(row, lastRuns.get(row.lastRunId ?? "") ?? null));
    if (schedules.length % readAtOnce === 0) await waitForTurn("read");
  }
  return schedules;
}

/** Schedules that are read in one turn of the event loop. */
const readAtOnce = 200;

type ScheduleRow = Awaited<ReturnType<Db["schedule"]["findUniqueOrThrow"]>> & { flow: { name: string } };

function toDetail({ flow, flowId, ...row }: ScheduleRow, lastRun: LastRun | null): ScheduleDetail {
  const problem = findScheduleProblem(row);
  if (problem !== null) logger.error({ schedule: row.id, reason: problem }, "the row of a schedule cannot be read");
  return {
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
    problem,
    description: describeScheduleTimes(row),
    nextAt: problem === null ? toTime(row.nextAt) : null,
    lastAt: toTime(row.lastAt),
    lastRun,
    lastProblem: row.lastProblem,
  };
}

/** Null also for a moment that cannot be read. */
const toTime = (moment: Date | null): number | null => {
  const time = moment?.getTime() ?? Number.NaN;
  return Number.isNaN(time) ? null : time;
};
