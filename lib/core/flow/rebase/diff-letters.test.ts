import fc from "fast-check";
import { expect, it } from "vitest";
import { applyChanges } from "../text-change";
import { diffLetters } from "./diff-letters";

it("keeps the letters of others among those that change", () => {
  expect(diffLetters("one xAy two", "one A two")).toEqual([
    { from: 4, to: 5, insert: "" },
    { from: 6, to: 7, insert: "" },
  ]);
});

const anyText = fc
  .array(fc.constantFrom("a", "b", "\n", " ", "😀"), { maxLength: 12 })
  .map((letters) => letters.join(""));

it("property: leads from one text to the other", () => {
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      expect(applyChanges(before, diffLetters(before, after))).toBe(after);
    }),
    { numRuns: 1000 },
  );
});
