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
import { findNextTime, findScheduleProblem, listPassedTimes } from "./schedule-times";

/** How much later than its time a run may start without having been missed, in milliseconds. */
const graceMs = 60_000;
/** For so many missed times runs are started at most. */
const mostMissed = 100;
const minuteMs = 60_000;
/** Longest time between two looks. */
const lookMs = 5_000;
/** Schedules that are dealt with at the same time. */
const pageSize = 25;

/** SQLite stores any text as a moment: those that sort before all dates are no times. */
const earliest = new Date(0);

const missedProblem = "No server could start it within a minute of that time.";
const overlapProblem = "The run before was still under way.";

const active = runStatuses.filter((status) => !isTerminal(status));

type ScheduleRow = Awaited<ReturnType<Db["schedule"]["findMany"]>>[number];

/** Looks at the beginning of every minute, and every five seconds for what could not be started then. */
export class Scheduler {
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** Since when it looks, and when it did so last, in milliseconds since the epoch. */
  #since: number;
  #lastLookAt: number;

  /** `now`: milliseconds since the epoch. */
  constructor(
    private readonly db: Db,
    private readonly options: { now(): number },
  ) {
    this.#since = options.now();
    this.#lastLookAt = this.#since;
  }

  start(): void {
    void this.#lookAgainAndAgain();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #lookAgainAndAgain(): Promise<void> {
    await this.look();
    if (this.#isStopped) return;
    const delay = Math.min(lookMs, minuteMs - (this.options.now() % minuteMs));
    this.#timer = setTimeout(() => void this.#lookAgainAndAgain(), delay);
    this.#timer.unref();
  }

  /** Starts what is due. Never rejects. */
  async look(): Promise<void> {
    const now = this.options.now();
    // A process that was suspended, or whose database was away, could start nothing meanwhile.
    // A clock that was set back was ahead since then.
    if (now - this.#lastLookAt > graceMs || now < this.#since) this.#since = now;
    try {
      await realignSchedules(this.db, now);
      await runDueSchedules(this.db, now, this.#since);
      this.#lastLookAt = this.options.now();
    } catch (error) {
      logger.error({ err: error }, "schedules failed");
    }
  }
}

/** Starts this process's scheduler. */
export function startScheduler(db: Db): { stop(): void } {
  const scheduler = new Scheduler(db, { now: Date.now });
  scheduler.start();
  return scheduler;
}

/**
 * Computes the next times anew of schedules whose last time is yet to come: the clock was ahead then. A time that got its run
 * gets no other.
 */
async function realignSchedules(db: Db, now: number): Promise<void> {
  const ahead = await db.schedule.findMany({ where: { enabled: true, lastAt: { gt: new Date(now + graceMs) } } });
  for (const schedule of ahead.filter(isReadable)) {
    const next = findNextTime(schedule, now);
    await db.schedule.updateMany({
      where: { id: schedule.id, nextAt: schedule.nextAt, updatedAt: schedule.updatedAt },
      data: { lastAt: new Date(now), nextAt: next === null ? null : new Date(next) },
    });
  }
  if (ahead.length > 0)
    logger.warn({ schedules: ahead.length }, "the clock was set back: the next times of schedules are computed anew");
}

/** One look at all schedules that are due. Moments are milliseconds since the epoch. */
interface Look {
  now: number;
  /** Since when there has been a look at least once a minute. */
  since: number;
  /** The teams that may start no run now, and why. */
  refusals: Map<string, AppError>;
}

/**
 * Starts the runs whose time has come at `now`, in milliseconds. Any number of processes may do it at once, and be killed
 * meanwhile: the id of a run follows from its schedule and time, so that there is one for each time, and a time is dealt
 * with only after its run is stored. `since`: when the looks began; a time that came later was not missed, however late
 * its schedule gets its turn.
 */
export async function runDueSchedules(db: Db, now: number, since = now): Promise<void> {
  const look = { now, since, refusals: new Map<string, AppError>() };
  const due = { enabled: true, nextAt: { gt: earliest, lte: new Date(now) }, flow: { deletedAt: null } };
  let page: ScheduleRow[] = [];
  do {
    // Those that have to wait stay due: the next page begins after them.
    const last = page.findLast(hasTime);
    page = await db.schedule.findMany({
      where: last?.nextAt
        ? { AND: [due, { OR: [{ nextAt: { gt: last.nextAt } }, { nextAt: last.nextAt, id: { gt: last.id } }] }] }
        : due,
      orderBy: [{ nextAt: "asc" }, { id: "asc" }],
      take: pageSize,
    });
    await Promise.all(
      page
        .filter(isReadable)
        .map((schedule) =>
          runSchedule(db, schedule, look).catch((error: unknown) =>
            logger.warn({ err: error, schedule: schedule.id }, "a schedule could not start its run and tries again"),
          ),
        ),
    );
  } while (page.length === pageSize && page.some(hasTime));
  for (const [team, { message }] of look.refusals)
    logger.warn({ team }, `schedules wait until their team may start runs: ${message}`);
}

const hasTime = ({ nextAt }: ScheduleRow): boolean => nextAt !== null && !Number.isNaN(nextAt.getTime());

/** Whether its times can be read; one that cannot starts nothing, and keeps no other from starting. */
function isReadable(schedule: ScheduleRow): boolean {
  const problem = findScheduleProblem(schedule);
  if (problem !== null)
    logger.warn({ schedule: schedule.id, reason: problem }, "a schedule cannot be read, and starts no run");
  return problem === null;
}

async function runSchedule(db: Db, schedule: ScheduleRow, look: Look): Promise<void> {
  const { now } = look;
  const from = schedule.nextAt?.getTime() ?? now;
  const passed = listPassedTimes(schedule, { from, until: now, limit: mostMissed });
  // Runs that must not overlap are started one after the other.
  const isOneByOne = schedule.missed === "each" && !schedule.overlap;
  const times = isOneByOne ? passed.slice(0, 1) : passed;
  const outcome = await dealWith(db, schedule, times, look);
  if (outcome === "waits") return;
  const dealtWith = times.at(-1) ?? now;
  const next = findNextTime(schedule, isOneByOne ? dealtWith : now);
  await db.schedule.updateMany({
    // Somebody who changed it meanwhile has set the next time.
    where: { id: schedule.id, nextAt: schedule.nextAt, updatedAt: schedule.updatedAt },
    data: { lastAt: new Date(dealtWith), nextAt: next === null ? null : new Date(next), ...outcome },
  });
}

type Outcome = { lastRunId?: string; lastProblem?: string | null };

/** Starts the runs that times get which have passed. `waits`: a later look attempts it again, as it does after an exception. */
async function dealWith(
  db: Db,
  schedule: ScheduleRow,
  times: readonly number[],
  look: Look,
): Promise<Outcome | "waits"> {
  const newest = times.at(-1);
  if (newest === undefined) return {};
  const isMissed = newest < look.since - graceMs;
  if (schedule.missed === "skip" && isMissed) return { lastProblem: missedProblem };
  const chosen = schedule.missed === "each" ? times : [newest];
  if (await isHeldUp(db, schedule, chosen))
    return schedule.missed === "each" && isMissed ? "waits" : { lastProblem: overlapProblem };
  try {
    return await startRuns(schedule, chosen, look);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const isTooLate = schedule.missed === "skip" && look.now - newest > graceMs;
    if (!isTooLate) return "waits";
    return { lastProblem: `It could not start within a minute of that time. ${error.message}` };
  }
}

async function isHeldUp(
  db: Db,
  { id, overlap, lastRunId, teamId }: ScheduleRow,
  [first]: readonly number[],
): Promise<boolean> {
  if (overlap || lastRunId === null || first === undefined || lastRunId === toRunId(id, first)) return false;
  return (await db.run.count({ where: { id: lastRunId, teamId, status: { in: active } } })) > 0;
}

/** Whether the same start may be accepted later. */
const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === "rate_limited" || error.code === "unavailable");

/** Throws when a later attempt makes sense. */
async function startRuns(schedule: ScheduleRow, times: readonly number[], { refusals }: Look): Promise<Outcome> {
  const { id, name, teamId, flowId, input } = schedule;
  const viewer = toTeamViewer(
    { id: toStarterId("schedule", id), name: `Schedule “${name}”` },
    { teamId, role: "runner" },
  );
  let lastRunId = "";
  for (const time of times) {
    lastRunId = toRunId(id, time);
    const refusal = refusals.get(teamId);
    if (refusal) throw refusal;
    try {
      await startRun(viewer, flowId, { input, id: lastRunId, priority: priorities.background });
    } catch (error) {
      if (isUniqueViolation(error)) continue;
      if (isRefusal(error)) refusals.set(teamId, error);
      if (isRefusal(error) || !(error instanceof AppError)) throw error;
      return { lastProblem: error.message };
    }
  }
  return { lastRunId, lastProblem: null };
}

/** The id of a schedule's run at a time, in milliseconds. */
export const toRunId = (scheduleId: string, time: number): string => deriveRunId(`schedule ${scheduleId} ${time}`);
