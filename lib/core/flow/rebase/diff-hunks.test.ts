import { expect, it, test } from "vitest";
import { applyChanges } from "../text-change";
import { diffHunks } from "./diff-hunks";

test("what others write between two changed lines is in no change", () => {
  expect(diffHunks("a\nb\nc\n", "A\nb\nC\n")).toEqual([
    { from: 0, to: 1, insert: "A" },
    { from: 4, to: 5, insert: "C" },
  ]);
});

it("finds a line break at the very start", () => {
  expect(applyChanges("\n  a", diffHunks("\n  a", ""))).toBe("");
});
