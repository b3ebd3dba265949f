/** A moment by the clock of a time zone, to the minute: `Mon, 2 Mar 2026, 09:00`. `timeMs` in milliseconds since the epoch. */
export const formatInZone = (timeMs: number, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  }).format(timeMs);
