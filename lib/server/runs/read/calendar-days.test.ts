import { expect, test } from "vitest";
import { toDays } from "./calendar-days";

const hours = (zone: string, first: string, last: string): string[] =>
  toDays(new Date(first), new Date(last), zone, 10).map(
    ({ date, start, end }) => `${date} ${(end.getTime() - start.getTime()) / 3_600_000}`,
  );

test("days are as long as they are", () => {
  expect(hours("UTC", "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z")).toEqual(["2026-03-28 24", "2026-03-29 24"]);
  expect(hours("Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z")).toEqual([
    "2026-03-28 24",
    "2026-03-29 23",
  ]);
  expect(hours("America/New_York", "2026-11-01T12:00:00Z", "2026-11-01T12:00:00Z")).toEqual(["2026-11-01 25"]);
});

test("a moment before midnight belongs to the day of the zone", () => {
  const [day] = toDays(new Date("2026-01-01T18:29:59Z"), new Date("2026-01-01T18:29:59Z"), "Asia/Kolkata", 10);
  expect(day).toEqual({
    date: "2026-01-01",
    start: new Date("2025-12-31T18:30:00Z"),
    end: new Date("2026-01-01T18:30:00Z"),
  });
});

test("where clocks leap over midnight no moment is lost", () => {
  const days = toDays(new Date("2018-11-03T12:00:00Z"), new Date("2018-11-05T12:00:00Z"), "America/Sao_Paulo", 10);
  expect(days.map(({ date }) => date)).toEqual(["2018-11-03", "2018-11-04", "2018-11-05"]);
  expect(days.slice(1).every(({ start }, index) => start.getTime() === days[index]?.end.getTime())).toBe(true);
});

test("the latest days, when there are too many", () => {
  const days = toDays(new Date("2026-01-01T00:00:00Z"), new Date("2026-01-31T00:00:00Z"), "UTC", 3);
  expect(days.map(({ date }) => date)).toEqual(["2026-01-29", "2026-01-30", "2026-01-31"]);
});

test("an unknown zone is refused", () => {
  expect(() => toDays(new Date(0), new Date(0), "Middle/Earth", 3)).toThrow("expected a time zone");
});
