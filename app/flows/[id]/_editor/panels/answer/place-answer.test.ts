import { expect, it } from "vitest";
import { type CanvasBox, overlaps } from "@/lib/core/layout/scene/canvas-box";
import { type AnswerSide, placeAnswer } from "./place-answer";

const step = { x: 400, y: 300, width: 200, height: 100 };
const below = { ...step, y: 420 };
const right = { ...step, x: 620 };
const left = { ...step, x: 180 };
const above = { ...step, y: 180 };
const everything = { x: 0, y: 0, width: 1000, height: 800 };

const place = (
  others: readonly CanvasBox[],
  visible: CanvasBox = everything,
  links: readonly CanvasBox[] = [],
  inputSides: readonly AnswerSide[] = [],
) =>
  placeAnswer(step, {
    inputSides,
    size: { width: 220, height: 110 },
    gap: 24,
    visible,
    bounds: everything,
    isFree: (box) => !others.some((other) => overlaps(other, box)),
    countLinks: (box) => links.filter((link) => overlaps(link, box)).length,
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

it("prefers a side without links, but a side in view to one without links", () => {
  const link = { x: 500, y: 400, width: 0, height: 100 };
  expect(place([], everything, [link]).side).toBe("right");
  expect(place([right, left, above], everything, [link]).side).toBe("below");
});

it("is where the input comes from only if no other side is free", () => {
  const link = { x: 700, y: 350, width: 20, height: 0 };
  expect(place([below], everything, [link]).side).toBe("left");
  expect(place([below], everything, [link], ["left"]).side).toBe("above");
  expect(place([below, above], everything, [link], ["left"]).side).toBe("right");
  expect(place([below, above, right], everything, [], ["left"]).side).toBe("left");
});

it("slides along its step to be whole in a narrow view, and is below the flow rather than cut off at a side", () => {
  const narrow = { x: 330, y: 0, width: 260, height: 800 };
  expect(place([], narrow)).toMatchObject({ side: "below", x: 370 });
  const low = { x: 330, y: 250, width: 260, height: 260 };
  expect(place([below, above], low)).toEqual({ side: null, x: 370, y: 824 });
  expect(place([below, above], { ...low, x: 2000 }).side).toBe("right");
});

it("slides along its step to miss a card that is in the way of its middle", () => {
  const wall = { x: 0, y: 420, width: 420, height: 300 };
  expect(place([wall, right, left, above])).toMatchObject({ side: "below", x: 390 + 0.4 * 220 });
});
