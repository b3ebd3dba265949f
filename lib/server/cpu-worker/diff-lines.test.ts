import { expect, test } from "vitest";
import { diffLines } from "./diff-lines";

function findChange(before: string, after: string) {
  const change = diffLines(before, after);
  if (change.type !== "changed") throw new Error(`the texts are ${change.type}`);
  return { ...change, lines: change.hunks.flatMap(({ lines }) => lines) };
}

test("few changed lines are all shown", () => {
  const { hunks, more } = findChange("a\nb\nc\n", "a\nx\nc\n");
  expect(hunks).toEqual([{ oldStart: 1, lines: [" a", "-b", "+x", " c"] }]);
  expect(more).toBe(0);
});

test.each([
  ["in a row", "\n".repeat(380_000), "", 400, 379_600],
  ["apart", toLines("old"), toLines("new"), 400, 300],
])("of many changed lines %s the first are shown, and the others counted", (_, before, after, shown, others) => {
  const { lines, more } = findChange(before, after);
  expect(lines).toHaveLength(shown);
  expect(more).toBe(others);
});

/** Every tenth line is `text`. */
function toLines(text: string): string {
  return Array.from({ length: 2_000 }, (_, index) => (index % 10 === 9 ? `${text}\n` : `${index}\n`)).join("");
}

test.each([
  ["letters", "a", 1],
  ["escaped characters", "<", 6],
  ["letters of three bytes", "語", 3],
])("long lines of %s are shortened, and few of them are shown", (_, character, bytes) => {
  const before = Array.from({ length: 300 }, (_, index) => `${character.repeat(5_000)}${index}\n`).join("");
  const { lines, more } = findChange(before, "");
  expect(lines[0]).toBe(`-${character.repeat(1_999)}…`);
  expect(lines.join("").length * bytes).toBeLessThan(25_000);
  expect(lines.length + more).toBe(300);
});

test("no character is split", () => {
  expect(findChange("😀".repeat(5_000), "").lines[0]).toBe(`-${"😀".repeat(999)}…`);
});
