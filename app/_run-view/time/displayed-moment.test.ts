import fc from "fast-check";
import { expect, it } from "vitest";
import { lastUpTo } from "./displayed-moment";

it("finds the last time that is not after the moment, and leaves alone one before all", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.nat(60), (times, at) => {
      const sorted = Float64Array.from(times).sort();
      expect(lastUpTo(sorted, at)).toBe([...sorted].findLast((time) => time <= at) ?? at);
    }),
  );
});

it("passes over steps that have not ended", () => {
  expect(lastUpTo(Float64Array.from([1, Number.NaN, 3]).sort(), 9)).toBe(3);
});
