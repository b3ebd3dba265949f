import "server-only";
import { toStarterId } from "@/lib/core/run/events/run-starter";
import { isTerminal, runStatuses } from "@/lib/core/run/events/run-status";
import { AppError } from "../app-error";
import { toTeamViewer } from "../auth/viewer";
import { type Db, isUniqueViolation } from "../db";
import { logger } from "../log/logger";
import { startRun } from "../runs/commands";
import { deriveRunId } from "../runs/derive-run-id";
import { priorities } from "../runs/prepare-run";
import { findNextTime, listPassedTimes } from "./schedule-times";

/** How much later than its time a run may start without having been missed, in milliseconds. */
const graceMs = 60_000;
/** For so many missed times runs are started at most. */
const mostMissed = 100;
const minuteMs = 60_000;
/** Longest time between two looks. */
const lookMs = 5_000;
/** Schedules that are dealt with in one look. */
const mostAtOnce = 100;

const active = runStatuses.filter((status) => !isTerminal(status));

type ScheduleRow = Awaited<ReturnType<Db["schedule"]["findMany"]>>[number];

/** Looks at the beginning of every minute, and every five seconds for what could not be started then. */
export function startScheduler(db: Db): { stop(): void } {
  let timer: NodeJS.Timeout;
  let isStopped = false;
  const look = async (): Promise<void> => {
    await runDueSchedules(db, Date.now()).catch((error: unknown) => logger.error({ err: error }, "schedules failed"));
    if (isStopped) return;
    timer = setTimeout(() => void look(), Math.min(lookMs, minuteMs - (Date.now() % minuteMs)));
    timer.unref();
  };
  void look();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Starts the runs whose time has come at `now`, in milliseconds. Any number of processes may do it at once, and be killed
 * meanwhile: the id of a run follows from its schedule and time, so that there is one for each time, and a time is dealt
 * with only after its run is stored.
 */
export async function runDueSchedules(db: Db, now: number): Promise<void> {
  const due = await db.schedule.findMany({
    where: { enabled: true, nextAt: { lte: new Date(now) }, flow: { deletedAt: null } },
    orderBy: { nextAt: "asc" },
    take: mostAtOnce,
  });
  for (const schedule of due)
    await runSchedule(db, schedule, now).catch((error: unknown) =>
      logger.warn({ err: error, schedule: schedule.id }, "a schedule could not start its run and tries again"),
    );
}

async function runSchedule(db: Db, schedule: ScheduleRow, now: number): Promise<void> {
  const from = schedule.nextAt?.getTime() ?? now;
  const times = listPassedTimes(schedule, { from, until: now, limit: mostMissed });
  const chosen = chooseTimes(times, schedule.missed, now);
  const outcome = (await isHeldUp(db, schedule, chosen))
    ? { lastProblem: "The run before was still under way." }
    : await startRuns(schedule, chosen);
  const next = findNextTime(schedule, now);
  await db.schedule.updateMany({
    // Somebody who changed it meanwhile has set the next time.
    where: { id: schedule.id, nextAt: schedule.nextAt, updatedAt: schedule.updatedAt },
    data: { lastAt: new Date(times.at(-1) ?? now), nextAt: next === null ? null : new Date(next), ...outcome },
  });
}

/** Of the times that have passed those that get a run. */
function chooseTimes(times: readonly number[], missed: string, now: number): number[] {
  if (missed === "each") return [...times];
  const newest = times.at(-1);
  if (newest === undefined || (missed === "skip" && now - newest > graceMs)) return [];
  return [newest];
}

async function isHeldUp(db: Db, { id, overlap, lastRunId, teamId }: ScheduleRow, times: number[]): Promise<boolean> {
  const [first] = times;
  if (overlap || lastRunId === null || first === undefined || lastRunId === toRunId(id, first)) return false;
  return (await db.run.count({ where: { id: lastRunId, teamId, status: { in: active } } })) > 0;
}

/** Throws when another attempt in a moment makes sense. */
async function startRuns(schedule: ScheduleRow, times: readonly number[]) {
  if (times.length === 0) return { lastProblem: "The server was not running at that time." };
  const { id, name, teamId, flowId, input } = schedule;
  const viewer = toTeamViewer(
    { id: toStarterId("schedule", id), name: `Schedule “${name}”` },
    { teamId, role: "runner" },
  );
  let lastRunId = "";
  for (const time of times) {
    lastRunId = toRunId(id, time);
    try {
      await startRun(viewer, flowId, { input, id: lastRunId, priority: priorities.background });
    } catch (error) {
      if (isUniqueViolation(error)) continue;
      if (!(error instanceof AppError) || error.code === "rate_limited" || error.code === "unavailable") throw error;
      return { lastProblem: error.message };
    }
  }
  return { lastRunId, lastProblem: null };
}

/** The id of a schedule's run at a time, in milliseconds. */
export const toRunId = (scheduleId: string, time: number): string => deriveRunId(`schedule ${scheduleId} ${time}`);
