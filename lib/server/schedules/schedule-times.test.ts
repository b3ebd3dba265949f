import { expect, test } from "vitest";
import { AppError } from "../app-error";
import { assertScheduleTimes, findNextTime, listNextTimes, listPassedTimes } from "./schedule-times";

const toMoments = (times: readonly (number | null)[]) => times.map((time) => time && new Date(time).toISOString());
const berlin = { cron: "30 2 * * *", timeZone: "Europe/Berlin" };

test("a time that the change to summer time leaves out comes when the clock goes on; one that comes twice runs once", () => {
  expect(toMoments(listNextTimes(berlin, Date.parse("2027-03-27T12:00:00Z"), 2))).toEqual([
    "2027-03-28T01:00:00.000Z",
    "2027-03-29T00:30:00.000Z",
  ]);
  expect(toMoments(listNextTimes(berlin, Date.parse("2027-10-30T12:00:00Z"), 2))).toEqual([
    "2027-10-31T00:30:00.000Z",
    "2027-11-01T01:30:00.000Z",
  ]);
});

test("the times that have passed include both ends, and are the newest of many", () => {
  const times = { cron: "*/10 * * * *", timeZone: "UTC" };
  const [from, until] = [Date.parse("2027-01-01T10:00:00Z"), Date.parse("2027-01-01T10:20:00Z")];
  expect(toMoments(listPassedTimes(times, { from, until, limit: 100 }))).toEqual([
    "2027-01-01T10:00:00.000Z",
    "2027-01-01T10:10:00.000Z",
    "2027-01-01T10:20:00.000Z",
  ]);
  expect(toMoments(listPassedTimes(times, { from, until: until + 30_000, limit: 1 }))).toEqual([
    "2027-01-01T10:20:00.000Z",
  ]);
  expect(listPassedTimes(times, { from: until + 1, until: until + 30_000, limit: 100 })).toEqual([]);
  expect(findNextTime(times, until)).toBe(until + 600_000);
  const year = listPassedTimes({ cron: "* * * * *", timeZone: "UTC" }, { from: 0, until, limit: 100 });
  expect(year).toHaveLength(100);
  expect(year.at(-1)).toBe(until);
});

test.each([
  [{ cron: "0 9 * * *", timeZone: "Mars/Base" }, /`timeZone`: expected a name .* found "Mars\/Base"/],
  [{ cron: "", timeZone: "UTC" }, /`cron`: Expected minute, hour/],
  [{ cron: "* * * * * *", timeZone: "UTC" }, /`cron`: .*exactly 5 parts/],
  [{ cron: "61 * * * *", timeZone: "UTC" }, /Invalid value for minute: 61/],
  [{ cron: "0 0 30 2 *", timeZone: "UTC" }, /no day of the calendar/],
])("refuses %j", (times, message) => {
  expect(() => assertScheduleTimes(times)).toThrow(AppError);
  expect(() => assertScheduleTimes(times)).toThrow(message);
});
