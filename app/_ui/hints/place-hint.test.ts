import { describe, expect, it } from "vitest";
import { placeHint } from "./place-hint";

const view = { width: 400, height: 300 };
const hint = { width: 100, height: 20 };
const button = (left: number, top: number) => ({ left, top, width: 28, height: 28 });

describe("placeHint", () => {
  it("is centred above", () => {
    expect(placeHint(button(200, 100), hint, view)).toEqual({ left: 164, top: 74 });
  });

  it("is below where there is no room above", () => {
    expect(placeHint(button(200, 10), hint, view)).toEqual({ left: 164, top: 44 });
  });

  it("stays in the window", () => {
    expect(placeHint(button(0, 100), hint, view).left).toBe(5);
    expect(placeHint(button(372, 100), hint, view).left).toBe(295);
    expect(placeHint(button(200, 100), { width: 500, height: 20 }, view).left).toBe(5);
  });
});
