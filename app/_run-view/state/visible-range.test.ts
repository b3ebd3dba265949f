import { describe, expect, test } from "vitest";
import type { RunStatus } from "@/lib/core/run/events/run-status";
import { toRangeState, toVisibleRange, toWholeState } from "./visible-range";

const following = { from: null, to: null, follow: true };
const whole = { from: null, to: null, follow: false };
const zoomed = { from: 5_000, to: 9_000, follow: true };
const long = { start: 1_000, end: 601_000 };
const newest = { start: 571_000, end: 601_000 };

describe("the displayed range", () => {
  test.each<[string, { from: number | null; to: number | null; follow: boolean }, typeof long, RunStatus, typeof long]>(
    [
      ["all of a run that is over", following, long, "SUCCESS", long],
      ["the last 30 s of one that is running", following, long, "RUNNING", newest],
      ["all of one that waits", following, long, "WAITING", long],
      ["all of one that is paused", following, long, "PAUSED", long],
      [
        "all of one that has just begun",
        following,
        { start: 1_000, end: 2_000 },
        "RUNNING",
        { start: 1_000, end: 2_000 },
      ],
      ["a millisecond of one that begins now", following, { start: 9, end: 9 }, "RUNNING", { start: 9, end: 10 }],
      ["all of one that is running, where that was chosen", whole, long, "RUNNING", long],
      ["what was chosen", zoomed, long, "RUNNING", { start: 6_000, end: 10_000 }],
      ["up to a chosen end", { ...zoomed, from: null }, long, "RUNNING", { start: 1_000, end: 10_000 }],
      ["from a chosen start", { ...zoomed, to: null }, long, "RUNNING", { start: 6_000, end: 601_000 }],
      ["a millisecond at least", { ...whole, from: 900_000, to: 0 }, long, "SUCCESS", { start: 600_999, end: 601_000 }],
    ],
  )("is %s", (_, state, runRange, status, range) => expect(toVisibleRange(state, runRange, status)).toEqual(range));
});

describe("showing the whole run", () => {
  test("does so where a part is displayed, also the last 30 s", () => {
    for (const follow of [true, false])
      for (const state of [zoomed, { ...zoomed, from: null }, { ...zoomed, to: null }])
        expect(toWholeState({ ...state, follow }, "RUNNING")).toEqual(whole);
    expect(toWholeState(following, "RUNNING")).toEqual(whole);
  });

  test("follows a running run again where all of it is displayed", () =>
    expect(toWholeState(whole, "RUNNING")).toEqual(following));

  test("leaves nothing behind in a run that is over", () =>
    expect([zoomed, whole].map((state) => toWholeState(state, "SUCCESS"))).toEqual([following, following]));
});

test("a range is stored relative to the start of the run", () => {
  expect(toRangeState({ start: 6_000.4, end: 6_000.5 }, long)).toEqual({ from: 5_000, to: 5_001 });
});
