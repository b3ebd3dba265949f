import fc from "fast-check";
import { expect, test } from "vitest";
import { findBoundary } from "./find-boundary";

test("finds the same index as a look at every item", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30)), fc.nat(30), (items, limit) => {
      const sorted = items.toSorted((a, b) => a - b);
      const index = sorted.findIndex((item) => item >= limit);
      expect(findBoundary(sorted.length, (at) => (sorted[at] ?? 0) >= limit)).toBe(index < 0 ? sorted.length : index);
    }),
  );
});

test("looks at few of many items, and at none of an empty list", () => {
  const looked: number[] = [];
  const find = (length: number): number => findBoundary(length, (index) => looked.push(index) > 0 && index >= 777_777);
  expect(find(0)).toBe(0);
  expect(looked).toEqual([]);
  expect(find(1_000_000)).toBe(777_777);
  expect(looked.length).toBeLessThanOrEqual(20);
});
