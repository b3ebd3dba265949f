import fc from "fast-check";
import { expect, test } from "vitest";
import { toInitials } from "./agent-initials";

test.each([
  ["planner", "PL"],
  ["fact_checker", "FC"],
  ["researcher_1", "R1"],
  ["researcher_12", "R2"],
  ["factChecker", "FC"],
  ["big data reader", "BD"],
  ["x", "X"],
  ["作家", "作家"],
  ["", ""],
  ["->", "->"],
])("%s becomes %s", (name, initials) => {
  expect(toInitials(name)).toBe(initials);
});

test("a name with text has initials, at most two characters of it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (name) => {
      const initials = toInitials(name);
      expect(initials).not.toBe("");
      expect([...initials.toLowerCase()].length).toBeLessThanOrEqual(8);
    }),
  );
});
