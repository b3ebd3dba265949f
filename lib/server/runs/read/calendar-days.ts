import "server-only";
import { AppError } from "../../app-error";

const dayMs = 86_400_000;

/** A calendar day somewhere: its date, and its moments from `from` to before `to`. */
export interface Day {
  /** `2026-01-31`. */
  date: string;
  from: Date;
  to: Date;
}

/**
 * The calendar days of a time zone (an IANA name like `Europe/Berlin`) from the one that holds `first` to the one that
 * holds `last`, at most the latest `most`. Days of 23 and 25 hours are as long as they are. Throws AppError `bad_request`
 * when nobody knows the zone.
 */
export function toDays(first: Date, last: Date, zone: string, most: number): Day[] {
  const local = toLocalClock(zone);
  const end = Math.floor(local(last.getTime()) / dayMs);
  const start = Math.max(Math.floor(local(first.getTime()) / dayMs), end - most + 1);
  const midnights = Array.from({ length: Math.max(0, end - start + 2) }, (_, index) =>
    toMoment((start + index) * dayMs, local),
  );
  return midnights.slice(0, -1).map((from, index) => ({
    date: new Date((start + index) * dayMs).toISOString().slice(0, 10),
    from,
    to: midnights[index + 1] ?? from,
  }));
}

/** What the clocks of a zone show at a moment, as if it were UTC. */
function toLocalClock(zone: string): (at: number) => number {
  const format = toFormat(zone);
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  };
}

function toFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    throw new AppError("bad_request", `\`zone\`: expected a time zone like Europe/Berlin, found "${timeZone}".`);
  }
}

/** When the clocks of a zone show this; where they leap over it, the moment of the leap. */
function toMoment(clock: number, local: (at: number) => number): Date {
  const guess = clock - (local(clock) - clock);
  const shown = local(guess);
  return new Date(shown === clock ? guess : clock - (shown - guess));
}
