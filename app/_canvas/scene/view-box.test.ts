import { describe, expect, it } from "vitest";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { boundsOf, isInView } from "@/lib/core/layout/scene/canvas-box";
import { flowOf } from "@/lib/core/layout/testing/flow-of";

describe("boundsOf", () => {
  it("takes pins into account and knows no box of nothing", () => {
    expect(boundsOf([])).toBeNull();
    const { nodes } = arrangeFlow(flowOf("a"), { pins: { a: { dx: -30, dy: 5 } } });
    expect(boundsOf(nodes)).toMatchObject({ x: -30, y: 5 });
  });
});

describe("isInView", () => {
  const box = { x: 100, y: 0, width: 200, height: 50 };
  it("follows pan and zoom", () => {
    expect(isInView(box, { x: 0, y: 0, zoom: 1 }, { width: 300, height: 50 })).toBe(true);
    expect(isInView(box, { x: 1, y: 0, zoom: 1 }, { width: 300, height: 50 })).toBe(false);
    expect(isInView(box, { x: -101, y: 0, zoom: 1 }, { width: 300, height: 50 })).toBe(false);
    expect(isInView(box, { x: 0, y: 0, zoom: 0.5 }, { width: 150, height: 25 })).toBe(true);
  });
});
