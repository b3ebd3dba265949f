import fc from "fast-check";
import { expect, it, test } from "vitest";
import { applyChanges } from "../text-change";
import type { TextChange } from "../text-range";
import { composeChanges } from "./compose-changes";

it("keeps what was typed apart from what was not touched", () => {
  const [first, second] = [[{ from: 2, to: 2, insert: "\n  " }], [{ from: 5, to: 5, insert: "b" }]];
  expect(composeChanges(first, second)).toEqual([{ from: 2, to: 2, insert: "\n  b" }]);
});

it("is no change where all that was inserted is deleted again", () => {
  expect(composeChanges([{ from: 2, to: 2, insert: "abc" }], [{ from: 2, to: 5, insert: "" }])).toEqual([]);
});

/** Changes of a text of this length, by numbers between 0 and 1. */
function toChanges(length: number, places: readonly (readonly [number, number, string])[]): TextChange[] {
  const offsets = places
    .flatMap(([start, end]) => [start, end].map((part) => Math.round(part * length)))
    .toSorted((a, b) => a - b);
  return places.map(([, , insert], index) => ({
    from: offsets[2 * index] ?? 0,
    to: offsets[2 * index + 1] ?? 0,
    insert,
  }));
}

test("property: does what both do, one after the other", () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  const places = fc.array(fc.tuple(part, part, fc.string({ maxLength: 3 })), { maxLength: 5 });
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), places, places, (text, one, other) => {
      const first = toChanges(text.length, one);
      const between = applyChanges(text, first);
      const second = toChanges(between.length, other);
      const both = composeChanges(first, second);
      expect(applyChanges(text, both)).toBe(applyChanges(between, second));
      expect(both).toEqual(both.toSorted((a, b) => a.from - b.from));
    }),
    { numRuns: 1000 },
  );
});
