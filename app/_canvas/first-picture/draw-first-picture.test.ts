import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import { drawFirstPicture } from "./draw-first-picture";

const size = { width: 1111, height: 770 };
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `a${index}`);
const draw = (dsl: string, area = size) => drawFirstPicture(flowOf(dsl), emptyLayout, area);

describe("the first picture of a flow", () => {
  it("shows a small flow in the middle, at actual size, with the names of its agents", () => {
    const drawing = draw("first >> second");
    expect(drawing?.view).toMatchObject(size);
    expect(drawing?.shapes).toContain(">first</text>");
    expect(drawing?.shapes).toContain(">second</text>");
  });

  it("is arranged for the view: downwards on a phone", () => {
    const phone = { width: 390, height: 677 };
    const boxes = [
      ...(draw("first >> second", phone)?.shapes ?? "").matchAll(/<rect x="(\d+)" y="(\d+)" width="(?:\d{3})"/g),
    ];
    const [first, second] = boxes.map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
    expect(second?.x).toBe(first?.x);
    expect(second?.y).toBeGreaterThan(first?.y ?? 0);
  });

  it("is blocks in the colours of the agents when there are many, not larger than the page can bear", () => {
    const drawing = draw(names(1000).join(" >> "));
    expect(drawing?.shapes).not.toContain("<text");
    expect(drawing?.shapes.match(/fill="var\(--agent-\d\)"/g)).toHaveLength(8);
    expect(drawing?.shapes.length).toBeLessThan(40_000);
    expect(draw(names(3000).join(" >> "))).toBeNull();
    const cards = draw(names(100).join(" >> "));
    expect(cards?.shapes).toContain('fill="var(--surface-raised)"');
    expect(cards?.shapes.length).toBeLessThan(4000);
  });

  it("does not exist for an empty flow", () => {
    expect(draw("")).toBeNull();
  });
});
