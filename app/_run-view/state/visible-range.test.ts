import { describe, expect, test } from "vitest";
import { toRangeState, toVisibleRange } from "./visible-range";

const none = { from: null, to: null };
const long = { start: 1_000, end: 601_000 };

describe("the displayed range", () => {
  test.each([
    ["all of a run that is over", none, long, false, long],
    ["the last 30 s of one that goes on", none, long, true, { start: 571_000, end: 601_000 }],
    ["all of one that has just begun", none, { start: 1_000, end: 2_000 }, true, { start: 1_000, end: 2_000 }],
    ["all of one that goes on, where that was chosen", { from: 0, to: null }, long, true, long],
    ["what was chosen", { from: 5_000, to: 9_000 }, long, true, { start: 6_000, end: 10_000 }],
    ["a millisecond at least", { from: 900_000, to: 0 }, long, false, { start: 600_999, end: 601_000 }],
  ])("is %s", (_, state, runRange, isLive, range) => expect(toVisibleRange(state, runRange, isLive)).toEqual(range));
});

describe("zooming out", () => {
  const zoomOut = (state: { from: number | null; to: number | null }, isLive: boolean) =>
    toRangeState(null, { runRange: long, isLive, state });

  test("shows the whole run, and the end of one that goes on again", () => {
    expect(zoomOut({ from: 5, to: 9 }, false)).toEqual(none);
    expect(zoomOut(none, true)).toEqual({ from: 0, to: null });
    expect(zoomOut({ from: 0, to: null }, true)).toEqual(none);
  });

  test("a range is stored relative to the start of the run", () => {
    const context = { runRange: long, isLive: true, state: none };
    expect(toRangeState({ start: 6_000.4, end: 6_000.5 }, context)).toEqual({ from: 5_000, to: 5_001 });
  });
});
