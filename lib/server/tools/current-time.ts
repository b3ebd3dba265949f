import "server-only";
import { z } from "zod";
import { defineTool } from "./define-tool";

/** The clock of `zone` at `at` (milliseconds since the epoch), or null for an unknown zone. */
function formatTime(timestamp: number, zone: string): string | null {
  try {
    const format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      weekday: "long",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
      timeZoneName: "longOffset",
    });
    const fields = Object.fromEntries(format.formatToParts(timestamp).map(({ type, value }) => [type, value]));
    const { weekday, year, month, day, hour, minute, second, timeZoneName = "" } = fields;
    const offset = timeZoneName.replace("GMT", "") || "+00:00";
    return `${weekday}, ${year}-${month}-${day} ${hour}:${minute}:${second} ${offset} (${zone})`;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The current date and time, in UTC or in an IANA time zone. */
export const currentTime = defineTool({
  name: "current_time",
  description: "Tells the current date, day of the week and time of day now, in UTC or in a given time zone.",
  input: z.strictObject({
    time_zone: z
      .string()
      .max(60)
      .optional()
      .describe("IANA time zone such as Europe/Berlin or America/New_York. Default: UTC"),
  }),
  execute: async ({ time_zone = "UTC" }, { now }) => {
    const text = formatTime(now(), time_zone);
    if (text === null)
      throw new Error(`unknown time zone "${time_zone}"; expected an IANA name such as Europe/Berlin or UTC`);
    return text;
  },
});
