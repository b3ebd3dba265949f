import { describe, expect, it } from "vitest";
import { toOpeningViewport, toViewportShowing } from "./opening-view";

const area = { width: 800, height: 700, minZoom: 0.01 };
const box = (width: number, height: number) => ({ x: -20, y: 10, width, height });

describe("the view that a flow is opened with", () => {
  it("shows the whole, in the middle, as long as that can be read or fills the view", () => {
    const small = toOpeningViewport(box(600, 100), area, "right");
    expect(small.zoom).toBe(1);
    expect(small.x + (-20 + 300) * small.zoom).toBeCloseTo(400);
    for (const [width, height] of [
      [2000, 84],
      [9000, 5000],
      [5000, 9000],
    ] as const)
      expect(toOpeningViewport(box(width, height), area, "right").zoom).toBeCloseTo(
        Math.min(736 / width, 604 / height),
        3,
      );
  });

  it("shows the beginning of a flow that would be a line of specks", () => {
    const right = toOpeningViewport(box(17_000, 300), area, "right");
    expect(right.zoom).toBe(0.8);
    expect(right.x + -20 * right.zoom).toBeCloseTo(32);
    expect(right.y + (10 + 150) * right.zoom).toBeCloseTo(334);
    const down = toOpeningViewport(box(1000, 90_000), area, "down");
    expect(down.zoom).toBeCloseTo(0.64);
    expect(down.y + 10 * down.zoom).toBeCloseTo(32);
    expect(toOpeningViewport(box(800_000, 9000), area, "right").zoom).toBe(0.3);
  });
});

describe("a view in which something has to be seen", () => {
  it("stays where it shows that already, else has it in its middle, as large as before", () => {
    const view = { x: 10, y: 20, zoom: 0.5 };
    expect(toViewportShowing({ x: 0, y: 0, width: 220, height: 84 }, view, area)).toBe(view);
    const far = { x: 5000, y: -900, width: 220, height: 84 };
    const moved = toViewportShowing(far, view, area);
    expect(moved.zoom).toBe(0.5);
    expect(moved.x + (far.x + 110) * 0.5).toBeCloseTo(400);
    expect(moved.y + (far.y + 42) * 0.5).toBeCloseTo(350);
  });
});
