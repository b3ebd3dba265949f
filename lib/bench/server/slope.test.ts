import fc from "fast-check";
import { expect, test } from "vitest";
import { estimateSlope } from "./slope";

test("the slope of a line is that of the line, whatever a few samples are", () => {
  const line = Array.from({ length: 20 }, (_, at) => ({ at, value: 100 + 3 * at }));
  expect(estimateSlope(line)).toBe(3);
  const disturbed = line.map((sample, index) => (index % 7 === 3 ? { ...sample, value: 10_000 } : sample));
  expect(estimateSlope(disturbed)).toBeCloseTo(3, 0);
});

test("too few samples have no slope", () => {
  expect(estimateSlope([])).toBe(0);
  expect(estimateSlope([{ at: 5, value: 7 }])).toBe(0);
});

test("values that do not grow have no positive slope, and adding to all changes nothing", () => {
  const samplesArbitrary = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 30 });
  fc.assert(
    fc.property(samplesArbitrary, fc.integer({ min: 0, max: 1000 }), (values, offset) => {
      const falling = values.toSorted((a, b) => b - a).map((value, at) => ({ at, value }));
      expect(estimateSlope(falling)).toBeLessThanOrEqual(0);
      const samples = values.map((value, at) => ({ at, value }));
      const raised = samples.map(({ at, value }) => ({ at, value: value + offset }));
      expect(estimateSlope(raised)).toBeCloseTo(estimateSlope(samples), 6);
    }),
  );
});
