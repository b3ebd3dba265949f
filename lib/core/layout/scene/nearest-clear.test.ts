import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CanvasBox, overlaps } from "./canvas-box";
import { nearestClear } from "./nearest-clear";

const card = (x: number, y: number): CanvasBox => ({ x, y, width: 200, height: 100 });

describe("the nearest clear place", () => {
  it.each([
    ["where it is", card(0, 0), [card(300, 0)], { x: 0, y: 0 }],
    ["beside the card that it lies on", card(180, 0), [card(0, 0)], { x: 216, y: 0 }],
    ["above it", card(10, -90), [card(0, 0)], { x: 10, y: -116 }],
    ["not on the next one", card(180, 0), [card(0, 0), card(220, 0)], { x: 180, y: 116 }],
    ["off a card of the same place", card(0, 0), [card(0, 0)], { x: 0, y: 116 }],
  ])("is %s", (_, box, others, place) => {
    expect(nearestClear(box, others)).toEqual(place);
  });

  it("property: lies on no card of a grid", () => {
    const grid = Array.from({ length: 12 }, (_, index) => card((index % 4) * 260, Math.floor(index / 4) * 140));
    const at = fc.integer({ min: -200, max: 1200 });
    fc.assert(
      fc.property(at, at, (x, y) => {
        const place = nearestClear(card(x, y), grid);
        expect(grid.filter((other) => overlaps({ ...card(0, 0), ...place }, other))).toEqual([]);
      }),
    );
  });
});
