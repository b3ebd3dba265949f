import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agentColorCount } from "@/lib/core/flow/agent-numbers";
import { noUsage } from "@/lib/core/run/events/usage";
import { agentColor } from "../agent-color";
import {
  formatAgo,
  formatCost,
  formatDate,
  formatDuration,
  formatExact,
  formatLength,
  formatMoment,
  formatShortAgo,
  formatTokens,
  formatUsageCost,
} from "./format";

describe("formatDuration", () => {
  test.each([
    [0, "0 ms"],
    [-5, "0 ms"],
    [999, "999 ms"],
    [1000, "1.0 s"],
    [2449, "2.4 s"],
    [59_949, "59.9 s"],
    [59_950, "1 m 00 s"],
    [65_000, "1 m 05 s"],
    [3_599_400, "59 m 59 s"],
    [3_599_600, "1 h 00 m"],
    [7_380_000, "2 h 03 m"],
  ])("%d ms", (ms, text) => expect(formatDuration(ms)).toBe(text));

  test("property: never shows 60 of a unit", () => {
    fc.assert(
      fc.property(fc.nat(400_000_000), (ms) => {
        expect(formatDuration(ms)).not.toMatch(/\b60(\.0)? [sm]\b/);
      }),
    );
  });
});

describe("formatTokens", () => {
  test.each([
    [0, "0"],
    [9999, "9,999"],
    [10_000, "10.0k"],
    [999_949, "999.9k"],
    [999_950, "1.0M"],
    [4_520_000, "4.5M"],
  ])("%d", (count, text) => expect(formatTokens(count)).toBe(text));
});

describe("formatCost", () => {
  test.each([
    [null, "unknown"],
    [0, "$0"],
    [0.000_01, "< $0.0001"],
    [0.0012, "$0.0012"],
    [0.123, "$0.123"],
    [1234.5, "$1,234.50"],
  ])("%s", (cost, text) => expect(formatCost(cost)).toBe(text));

  test("unknown stays unknown, and no call has no cost", () => {
    expect(formatUsageCost({ ...noUsage, calls: 2, cost: null })).toBe("unknown");
    expect(formatUsageCost({ ...noUsage, calls: 2, cost: 0.5, isCostPartial: true })).toBe("at least $0.500");
    expect(formatUsageCost(noUsage)).toBe("–");
    expect(formatUsageCost({ ...noUsage, calls: 1 })).toBe("$0");
  });
});

test("formatLength", () => {
  expect(formatLength(840)).toBe("840 characters");
  expect(formatLength(12_345)).toBe("12.3 K characters");
  expect(formatLength(5_000_000)).toBe("5.0 M characters");
});

describe("formatAgo", () => {
  const now = Date.UTC(2026, 2, 20, 12);
  test.each([
    [-4000, "just now"],
    [59_000, "just now"],
    [60_000, "1 minute ago"],
    [3_599_999, "59 minutes ago"],
    [2 * 3_600_000, "2 hours ago"],
    [86_400_000, "1 day ago"],
    [16 * 86_400_000, "4 Mar 2026"],
  ])("%d ms ago", (past, text) => expect(formatAgo(now - past, now)).toBe(text));
});

describe("formatMoment", () => {
  const now = new Date(2026, 2, 20, 15, 4, 5).getTime();
  test.each([
    [new Date(2026, 2, 20, 0, 0, 0), "Today 00:00:00"],
    [new Date(2026, 2, 20, 14, 3, 26), "Today 14:03:26"],
    [new Date(2026, 2, 19, 23, 59, 59), "Yesterday 23:59:59"],
    [new Date(2026, 2, 4, 9, 5, 7), "4 Mar 2026 09:05"],
  ])("%s", (moment, text) => expect(formatMoment(moment.getTime(), now)).toBe(text));
});

test("an exact moment is written the same way in every place", () => {
  const moment = Date.UTC(2026, 2, 4, 14, 3, 26, 789);
  expect(formatExact(moment, "UTC")).toBe("4 Mar 2026 14:03:26 UTC");
  expect(formatExact(new Date(2026, 11, 31, 0, 5, 9).getTime())).toBe("31 Dec 2026 00:05:09");
  expect(formatDate(moment, "UTC")).toBe("4 Mar 2026");
});

describe("agentColor", () => {
  test("differs for the first eight agents, then begins again", () => {
    const colors = Array.from({ length: agentColorCount }, (_, number) => agentColor(number));
    expect(agentColorCount).toBe(8);
    expect(new Set(colors).size).toBe(8);
    expect(agentColor(8)).toBe(colors[0]);
  });

  test("is neutral for what is no agent", () => expect(agentColor(undefined)).toBe("var(--idle)"));
});

test("writes short times", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  const short = (past: number): string => formatShortAgo(now - past, now);
  expect([0, 6 * minute, 2 * hour, day, 3 * day].map(short)).toEqual([
    "just now",
    "6 min ago",
    "2 h ago",
    "yesterday",
    "3 days ago",
  ]);
  expect([8 * day, 400 * day].map(short)).toEqual(["14 Nov", "Oct 2025"]);
});
