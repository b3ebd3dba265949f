import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { type Arrangement, arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import { toFreeArea, toOpeningViewport, toViewportShowing } from "./opening-view";

const area = { width: 800, height: 700, minZoom: 0.01 };
const box = (width: number, height: number) => ({ x: -20, y: 10, width, height });
const chain = (count: number, options = {}): Arrangement =>
  arrangeFlow(flowOf(Array.from({ length: count }, (_, index) => `s${index}`).join(" >> ")), emptyLayout, options);
const few = chain(3);
const many = chain(80);
const down = (arrangement: Arrangement): Arrangement => ({ ...arrangement, direction: "down" });

describe("the view that a flow is opened with", () => {
  it("shows the whole in the middle as long as that can be read", () => {
    const small = toOpeningViewport(box(600, 100), area, few);
    expect(small.zoom).toBe(1);
    expect(small.x + (-20 + 300) * small.zoom).toBeCloseTo(400);
    expect(toOpeningViewport(box(840, 100), area, few).zoom).toBeCloseTo(736 / 840);
  });

  it("never has a flow of few agents smaller than 85 %: it shows its beginning", () => {
    const right = toOpeningViewport(box(2000, 84), area, few);
    expect(right.zoom).toBe(0.85);
    expect(right.x + -20 * 0.85).toBeCloseTo(32);
    expect(right.y + (10 + 42) * 0.85).toBeCloseTo(56 + 572 / 2);
    const runsDown = toOpeningViewport(box(200, 3000), area, down(few));
    expect(runsDown.y + 10 * 0.85).toBeCloseTo(56);
    expect(runsDown.x + (-20 + 100) * 0.85).toBeCloseTo(400);
    const lanes = toOpeningViewport(box(500, 3000), area, few);
    expect(lanes.y + (10 + 1500) * 0.85).toBeCloseTo(56 + 572 / 2);
    const wrapped = toOpeningViewport(box(500, 3000), area, chain(12, { wrap: 500 }));
    expect(wrapped.y + 10 * 0.85).toBeCloseTo(56);
  });

  it("shows the whole at a lower scale while a panel takes room, but not at one that cannot be read", () => {
    const low = { width: 888, height: 286, minZoom: 0.01 };
    const reduced = { ...low, leastScale: 0.6 };
    expect(toOpeningViewport(box(760, 332), low, few).zoom).toBe(0.85);
    expect(toOpeningViewport(box(760, 332), reduced, few).zoom).toBeCloseTo(210 / 332);
    expect(toOpeningViewport(box(760, 500), reduced, few).zoom).toBe(0.85);
    expect(toOpeningViewport(box(760, 200), reduced, few).zoom).toBe(1);
    expect(toFreeArea(reduced)).toEqual({ width: 824, height: 210, leastScale: 0.6 });
  });

  it("fits the width of a flow into a narrow view, where cards may be smaller", () => {
    const phone = { width: 390, height: 540, minZoom: 0.01 };
    const lanes = toOpeningViewport(box(656, 900), phone, down(few));
    expect(lanes.zoom).toBeCloseTo(358 / 656);
    expect(lanes.x + -20 * lanes.zoom).toBeCloseTo(16);
    expect(lanes.y + 10 * lanes.zoom).toBeCloseTo(56);
    expect(toOpeningViewport(box(200, 3000), phone, down(few)).zoom).toBe(0.85);
    expect(toOpeningViewport(box(3000, 3000), phone, few).zoom).toBe(0.45);
  });

  it("shows many agents whole, but not as a line of specks", () => {
    for (const [width, height] of [
      [9000, 5000],
      [5000, 9000],
    ] as const)
      expect(toOpeningViewport(box(width, height), area, many).zoom).toBeCloseTo(
        Math.min(736 / width, 572 / height),
        3,
      );
    const right = toOpeningViewport(box(17_000, 300), area, many);
    expect(right.zoom).toBe(0.8);
    expect(right.x + -20 * right.zoom).toBeCloseTo(32);
    const runsDown = toOpeningViewport(box(1000, 90_000), area, down(many));
    expect(runsDown.zoom).toBeCloseTo(0.64);
    expect(runsDown.y + 10 * runsDown.zoom).toBeCloseTo(56);
    expect(toOpeningViewport(box(800_000, 9000), area, many).zoom).toBe(0.3);
  });

  it("has room for the flow beside its margins", () => {
    expect(toFreeArea(area)).toEqual({ width: 736, height: 572 });
    expect(toFreeArea({ width: 390, height: 600 })).toEqual({ width: 358, height: 472 });
    expect(toFreeArea({ width: 10, height: 10 })).toEqual({ width: 1, height: 1 });
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
