import { expect, test } from "vitest";
import { countNouns, formatCount } from "./format-count";

test.each([
  [0, "0"],
  [999, "999"],
  [1000, "1,000"],
  [1_234_567, "1,234,567"],
])("the count %d", (count, text) => expect(formatCount(count)).toBe(text));

test.each([
  [0, "0 agents"],
  [1, "1 agent"],
  [10_000, "10,000 agents"],
])("nouns of the count %d", (count, text) => expect(countNouns(count, "agent")).toBe(text));
