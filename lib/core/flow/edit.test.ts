import { describe, expect, it } from "vitest";
import { emptyLayout, type Layout, movePins, renamePins, sameLayout } from "./edit";
import { layoutSchema } from "./schemas/layout-schema";

describe("layouts", () => {
  const layout: Layout = {
    pins: { a: { dx: 1, dy: 2 }, "g/a": { dx: 3, dy: 4 }, "g%2Fa": { dx: 5, dy: 6 } },
    direction: "down",
    notes: { note: { x: 0, y: 0, width: 220, height: 120, text: "", color: "blue" } },
  };

  it("rename pins by whole names, not by parts of a name", () => {
    expect(renamePins(layout, "a", "b")).toEqual({
      ...layout,
      pins: { b: { dx: 1, dy: 2 }, "g/b": { dx: 3, dy: 4 }, "g%2Fa": { dx: 5, dy: 6 } },
    });
  });

  it("move pins, and drop those without a new position", () => {
    const moved = movePins(layout, (path) => (path[0] === "g" ? ["h", ...path] : null));
    expect(moved).toEqual({ ...layout, pins: { "h/g/a": { dx: 3, dy: 4 } } });
    expect(movePins(layout, (path) => path)).toEqual(layout);
  });

  it.each<[title: string, changed: Layout, isSame: boolean]>([
    ["a copy", structuredClone(layout), true],
    ["its pins in another order", { ...layout, pins: Object.fromEntries(Object.entries(layout.pins).reverse()) }, true],
    ["a pin less", { ...layout, pins: { a: { dx: 1, dy: 2 } } }, false],
    ["a pin moved", { ...layout, pins: { ...layout.pins, a: { dx: 1, dy: 3 } } }, false],
    ["another direction", { ...layout, direction: "right" }, false],
    ["no notes", { pins: layout.pins, direction: "down" }, false],
  ])("are equal to %s or not", (_, changed, isSame) => {
    expect(sameLayout(layout, changed)).toBe(isSame);
    expect(sameLayout(changed, layout)).toBe(isSame);
  });

  it("differ from those without a chosen direction", () => {
    expect(sameLayout(emptyLayout, { pins: {}, direction: "right" })).toBe(false);
    expect(sameLayout(emptyLayout, { pins: {}, notes: {} })).toBe(true);
  });

  it.each([
    [layout, true],
    [emptyLayout, true],
    [{}, false],
    [{ pins: { a: { dx: "1", dy: 2 } } }, false],
    [{ pins: { a: { dx: 1, dy: Number.POSITIVE_INFINITY } } }, false],
    [{ pins: {}, direction: "up" }, false],
    [{ pins: {}, zoom: 1 }, false],
  ])("%j can be stored: %s", (value, isValid) => expect(layoutSchema.safeParse(value).success).toBe(isValid));
});
