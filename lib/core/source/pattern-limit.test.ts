import { expect, test, vi } from "vitest";
import { readSource } from "./read-source";

const read = (patterns: readonly string[]) => {
  const checkPattern = vi.fn(() => null);
  const branches = patterns.map((text, nth) => `  b${nth}: { condition: 'matches(input, "${text}")', if_true: a }`);
  const source = `agents:\n  a: { model: "demo:a" }\nbranches:\n${branches.join("\n")}\nswarm: { flow: b0 }\n`;
  const { problems } = readSource(source, { checkPattern });
  return { checkPattern, conditions: problems.filter(({ code }) => code === "invalid-condition") };
};

test("each pattern of a flow is read once", () => {
  const { checkPattern, conditions } = read(Array.from({ length: 150 }, () => "a{1000}"));
  expect(checkPattern).toHaveBeenCalledTimes(1);
  expect(conditions).toEqual([]);
});

test("a flow has at most a hundred different patterns; more are not read, and are mistakes", () => {
  const { checkPattern, conditions } = read(Array.from({ length: 150 }, (_, nth) => `a{1000}${nth}`));
  expect(checkPattern).toHaveBeenCalledTimes(100);
  expect(conditions).toHaveLength(50);
  expect(conditions[0]?.message).toContain("at most 100 different patterns in one flow, found number 101");
});
