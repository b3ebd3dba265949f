import { expect, test } from "vitest";
import { costDelta, durationDelta, tokensDelta } from "./deltas";

test("with a sign and a share", () => {
  expect(durationDelta(1000, 2500)).toEqual({ text: "+1.5 s (+150 %)", tone: "more" });
  expect(tokensDelta(2000, 1000)).toEqual({ text: "−1,000 (−50 %)", tone: "less" });
  expect(costDelta({ cost: 0.5 }, { cost: 0.5 })).toEqual({ text: "same", tone: "same" });
});

test("no percentage of zero, no uninformative one, none out of bounds", () => {
  expect(tokensDelta(0, 12)?.text).toBe("+12");
  expect(tokensDelta(1000, 1001)?.text).toBe("+1");
  expect(tokensDelta(1, 1_000_000)?.text).toBe("+999,999");
});

test("what is unknown has no delta", () => {
  expect(costDelta({ cost: null }, { cost: 1 })).toBeNull();
  expect(costDelta({ cost: 1 }, { cost: null })).toBeNull();
  expect(costDelta({ cost: 1, isCostPartial: true }, { cost: 2 })).toBeNull();
});
