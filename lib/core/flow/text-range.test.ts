import fc from "fast-check";
import { expect, it } from "vitest";
import { type TextRange, withoutRanges } from "./text-range";

const sortedRanges = fc
  .uniqueArray(fc.nat(30), { maxLength: 12 })
  .map((offsets) => offsets.toSorted((a, b) => a - b))
  .map((offsets) =>
    offsets.flatMap((to, index): TextRange[] => (index % 2 ? [{ from: offsets[index - 1] ?? 0, to }] : [])),
  );

const toOffsets = (ranges: readonly TextRange[]): number[] =>
  ranges.flatMap(({ from: start, to: end }) => Array.from({ length: end - start }, (_, nth) => start + nth));

it("property: ranges without others have every offset that is in none of these, once", () => {
  fc.assert(
    fc.property(sortedRanges, sortedRanges, (ranges, others) => {
      const taken = new Set(toOffsets(others));
      const rest = withoutRanges(ranges, others);
      expect(toOffsets(rest)).toEqual(toOffsets(ranges).filter((offset) => !taken.has(offset)));
      expect(rest.every(({ from: start, to: end }) => start < end)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
