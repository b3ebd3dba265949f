import { describe, expect, it } from "vitest";
import { sizeByKey, toPaneSize } from "./pane-size";

const limits = { min: 200, max: 500 };

describe("the size of a pane", () => {
  it("stays between its limits", () => {
    expect(toPaneSize(320.4, 300, limits, 1000)).toBe(320);
    expect(toPaneSize(10, 300, limits, 1000)).toBe(200);
    expect(toPaneSize(900, 300, limits, 1000)).toBe(500);
  });

  it("takes no more than its neighbour can give", () => {
    expect(toPaneSize(400, 300, limits, 40)).toBe(340);
    expect(toPaneSize(400, 300, limits, -40)).toBe(300);
    expect(toPaneSize(250, 300, limits, -40)).toBe(250);
  });

  it("follows the keys towards the side that they point to", () => {
    expect(sizeByKey("ArrowRight", 300, limits, "forwards")).toBe(316);
    expect(sizeByKey("ArrowRight", 300, limits, "backwards")).toBe(284);
    expect(sizeByKey("ArrowUp", 300, limits, "backwards")).toBe(316);
    expect(sizeByKey("Home", 300, limits, "forwards")).toBe(200);
    expect(sizeByKey("End", 300, limits, "forwards")).toBe(500);
    expect(sizeByKey("Enter", 300, limits, "forwards")).toBeNull();
  });
});
