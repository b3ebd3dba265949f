import { expect, it } from "vitest";
import { type CanvasBox, overlaps } from "@/lib/core/layout/scene/canvas-box";
import { placeAnswer } from "./place-answer";

const step = { x: 400, y: 300, width: 200, height: 100 };
const below = { ...step, y: 420 };
const right = { ...step, x: 620 };
const left = { ...step, x: 180 };
const above = { ...step, y: 180 };
const everything = { x: 0, y: 0, width: 1000, height: 800 };

const place = (others: readonly CanvasBox[], visible: CanvasBox = everything) =>
  placeAnswer(step, {
    size: { width: 220, height: 110 },
    gap: 24,
    visible,
    bounds: everything,
    isFree: (box) => !others.some((other) => overlaps(other, box)),
  });

it("hangs below its step, in the middle", () => {
  expect(place([])).toMatchObject({ side: "below", x: 390, y: 424 });
});

it.each([
  [[below], "right"],
  [[below, right], "left"],
  [[below, right, left], "above"],
])("covers no other card (%#)", (others, side) => {
  expect(place(others).side).toBe(side);
});

it("prefers a side that is in view, but not one that is taken", () => {
  const low = { ...everything, height: 500 };
  expect(place([], low).side).toBe("right");
  expect(place([right, left, above], low).side).toBe("below");
});

it("goes below the whole flow when its step is surrounded", () => {
  expect(place([below, right, left, above])).toEqual({ side: null, x: 390, y: 824 });
});
