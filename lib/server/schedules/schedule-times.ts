import "server-only";
import { Cron } from "croner";
import cronstrue from "cronstrue";
import { AppError } from "../app-error";
import type { ScheduleTimes } from "./schedule-setting";

const toCron = ({ cron, timeZone }: ScheduleTimes): Cron =>
  new Cron(cron, { timezone: timeZone, paused: true, mode: "5-part" });

/** Throws AppError `bad_request` for a time zone that is none, a malformed expression, and one that names no time at all. */
export function assertScheduleTimes(times: ScheduleTimes): void {
  const problem = findTimeZoneProblem(times.timeZone) ?? findCronProblem(times);
  if (problem !== null) throw new AppError("bad_request", problem);
  const next = toCron(times).nextRun(new Date());
  if (next === null) throw new AppError("bad_request", `\`cron\`: no day of the calendar fits "${times.cron}".`);
}

const listedTimeZones = new Set(["UTC", ...Intl.supportedValuesOf("timeZone")]);

/** Why a text is no time zone; null: it is one. */
function findTimeZoneProblem(timeZone: string): string | null {
  // Making a format takes a tenth of a millisecond, and a team may have a thousand schedules.
  if (listedTimeZones.has(timeZone)) return null;
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return null;
  } catch {
    return `\`timeZone\`: expected a name of the IANA time zone database such as Europe/Berlin or UTC, found "${timeZone}".`;
  }
}

/** Why an expression is malformed; null: it is not. */
function findCronProblem(times: ScheduleTimes): string | null {
  try {
    toCron(times);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Cron\w+: /, "") : "unreadable";
    const expected = "Expected minute, hour, day of month, month and day of week, such as 0 9 * * 1-5";
    return `\`cron\`: ${expected}: ${reason.replace(/\.$/, "")}.`;
  }
}

/** Why the stored row of a schedule cannot be read; null: it can. */
export function findScheduleProblem(row: ScheduleTimes & { nextAt: Date | null }): string | null {
  const hasNextTime = row.nextAt === null || !Number.isNaN(row.nextAt.getTime());
  const problem = findTimeZoneProblem(row.timeZone) ?? findCronProblem(row);
  return problem ?? (hasNextTime ? null : "its next time is no date. Save it again to set the time anew.");
}

/** The first time after `after`, in milliseconds; null: there is none. */
export const findNextTime = (times: ScheduleTimes, after: number): number | null =>
  toCron(times).nextRun(new Date(after))?.getTime() ?? null;

/** The first `count` times after `after`, in milliseconds. */
export const listNextTimes = (times: ScheduleTimes, after: number, count: number): number[] =>
  toCron(times)
    .nextRuns(count, new Date(after))
    .map((time) => time.getTime());

/** The times from `from` to `until`, both included, in milliseconds: the newest `limit` of them, the oldest first. */
export function listPassedTimes(
  times: ScheduleTimes,
  { from, until, limit }: { from: number; until: number; limit: number },
): number[] {
  const cron = toCron(times);
  const passed: number[] = [];
  // The millisecond after the last one, and never the present: the expression has full minutes only.
  for (let before = until + 1; passed.length < limit; ) {
    const time = cron.previousRuns(1, new Date(before))[0]?.getTime();
    if (time === undefined || time < from) break;
    passed.unshift(time);
    before = time;
  }
  return passed;
}

/** `At 09:00, Monday through Friday`. */
export function describeScheduleTimes({ cron }: ScheduleTimes): string {
  try {
    return cronstrue.toString(cron, { use24HourTimeFormat: true });
  } catch {
    return cron;
  }
}
