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

test.each([
  ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00Z"],
  ["America/Havana", "2027-03-14", "2027-03-14T05:00:00Z"],
  ["Atlantic/Azores", "2027-03-28", "2027-03-28T01:00:00Z"],
])("where clocks leap at midnight a day begins with the leap: %s", (zone, date, leap) => {
  const noon = new Date(`${date}T15:00:00Z`);
  const days = toDays(new Date(noon.getTime() - 86_400_000), noon, zone, 10);
  expect(days[1]).toMatchObject({ date, start: new Date(leap) });
  expect(days.map(({ start, end }) => (end.getTime() - start.getTime()) / 3_600_000)).toEqual([24, 23]);
});

test("where midnight comes twice a day begins with the first", () => {
  expect(hours("America/Havana", "2026-10-31T15:00:00Z", "2026-11-01T15:00:00Z")).toEqual([
    "2026-10-31 24",
    "2026-11-01 25",
  ]);
});

test("the latest days, when there are too many", () => {
  const days = toDays(new Date("2026-01-01T00:00:00Z"), new Date("2026-01-31T00:00:00Z"), "UTC", 3);
  expect(days.map(({ date }) => date)).toEqual(["2026-01-29", "2026-01-30", "2026-01-31"]);
});

test("an unknown zone is refused", () => {
  expect(() => toDays(new Date(0), new Date(0), "Middle/Earth", 3)).toThrow("expected a time zone");
});
