import { describe, expect, it } from "vitest";
import { Trace } from "@/lib/core/trace/model/trace";
import { allOpen, toRows } from "@/lib/core/trace/timeline/span-rows";
import { toTimeScale } from "@/lib/core/trace/timeline/time-scale";
import { toStepRows } from "../grid/grid-rows";
import { ahead, changedIn } from "./row-painter";
import type { RowPicture } from "./row-picture";

const trace = new Trace();
const picture: RowPicture = {
  trace,
  rows: toStepRows(trace, toRows(trace, allOpen), allOpen),
  origin: 0,
  timeOf: () => 0,
  moment: null,
  scale: toTimeScale({ start: 0, end: 1 }),
  now: 0,
  colors: new Uint8Array(),
  hits: null,
  critical: null,
  active: 0,
  hovered: -1,
  height: 26,
  turns: true,
  isFocused: false,
};

describe("changedIn", () => {
  it("paints single rows when another is selected or pointed at", () => {
    expect(changedIn(picture, { ...picture })).toBe("rows");
    expect(changedIn(picture, { ...picture, active: 3, hovered: 2, isFocused: true })).toBe("rows");
  });

  it("paints only the bars when the time is looked at closer", () => {
    const scale = toTimeScale({ start: 0, end: 2 });
    expect(changedIn(picture, { ...picture, scale })).toBe("bars");
    expect(changedIn(picture, { ...picture, scale, active: 3 })).toBe("bars");
  });

  it.each([
    { now: 5 },
    { moment: 5 },
    { trace: trace.view() },
    { hits: new Uint8Array(1) },
    { critical: new Uint8Array(1) },
    { timeOf: () => 1 },
    { height: 44 },
    { scale: toTimeScale({ start: 0, end: 2 }), now: 5 },
  ])("paints everything when the rest changes: %o", (change) => {
    expect(changedIn(picture, { ...picture, ...change })).toBe("all");
  });
});

describe("ahead", () => {
  const view = { top: 1000, bottom: 1800 };
  const from = (top: number) => ({ top, bottom: top + 800 });

  it("paints ahead in the direction of a scroll, as far as there is room", () => {
    expect(ahead(view, from(880), 1600)).toEqual({ top: 1000, bottom: 2600 });
    expect(ahead(view, from(1120), 1600)).toEqual({ top: 200, bottom: 1800 });
    expect(ahead({ top: 60, bottom: 860 }, from(180), 1600)).toEqual({ top: 0, bottom: 860 });
  });

  it("paints no more than is seen at first, after a jump, and without room", () => {
    expect(ahead(view, null, 1600)).toEqual(view);
    expect(ahead(view, from(0), 1600)).toEqual(view);
    expect(ahead(view, from(880), 700)).toEqual(view);
  });
});
