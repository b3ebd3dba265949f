import "server-only";
import { AppError } from "../../app-error";

const dayMs = 86_400_000;

/** A calendar day somewhere: its date, and its moments from `from` to before `to`. */
export interface CalendarDay {
  /** `2026-01-31`. */
  date: string;
  start: Date;
  end: Date;
}

/**
 * The calendar days of a time zone (an IANA name like `Europe/Berlin`) from the day of `firstMoment` to the day of
 * `lastMoment`, at most the latest `mostDays`. Days at a change of the clocks have 23 or 25 hours. Throws AppError
 * `bad_request` for an unknown zone.
 */
export function toDays(firstMoment: Date, lastMoment: Date, zone: string, mostDays: number): CalendarDay[] {
  const local = toLocalClock(zone);
  const lastDay = Math.floor(local(lastMoment.getTime()) / dayMs);
  const firstDay = Math.max(Math.floor(local(firstMoment.getTime()) / dayMs), lastDay - mostDays + 1);
  const starts = Array.from(
    { length: Math.max(0, lastDay - firstDay + 2) },
    (_, index) => new Date(toDayStart((firstDay + index) * dayMs, local)),
  );
  return starts.slice(0, -1).map((start, index) => ({
    date: new Date((firstDay + index) * dayMs).toISOString().slice(0, 10),
    start,
    end: starts[index + 1] ?? start,
  }));
}

/** What the clocks of a zone show at a moment, as if it were UTC. Swedish writes moments as ISO 8601 does. */
function toLocalClock(timeZone: string): (time: number) => number {
  try {
    const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
    return (time) => Date.parse(`${format.format(time)}Z`);
  } catch {
    throw new AppError("bad_request", `\`zone\`: expected a time zone like Europe/Berlin, found "${timeZone}".`);
  }
}

/**
 * When a day begins whose midnight is `clock` by the clocks of a zone: the first time that they show it; where they leap
 * over it, the moment of the leap.
 */
function toDayStart(clock: number, local: (time: number) => number): number {
  const offsets = [clock - dayMs, clock + dayMs].map((time) => local(time) - time);
  const candidates = offsets.map((offset) => clock - offset);
  const shown = candidates.filter((time) => local(time) === clock);
  if (shown.length > 0) return Math.min(...shown);
  let [before, after] = [Math.min(...candidates), Math.max(...candidates)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (local(middle) < clock) before = middle;
    else after = middle;
  }
  return after;
}
