import { expect, test } from "vitest";
import type { ComparedRow } from "@/lib/core/trace/model/align-steps";
import { findDifference, toDifferingRows, toRowMove } from "./walk-rows";

/** Rows drawn as text: a dash for each step down, `!` where the row differs. */
const rows = (...drawn: string[]): ComparedRow[] =>
  drawn.map((text) => {
    const name = text.replace(/^-+/, "");
    return {
      path: name,
      name,
      kind: "agent",
      depth: text.length - name.length + 1,
      steps: [],
      differences: name.includes("!") ? ["status"] : [],
    };
  });
const pathsOf = (found: readonly ComparedRow[]): string => found.map(({ path }) => path).join(" ");

test("rows that differ stay, with whatever holds them", () => {
  const all = rows("root", "-a", "--b", "---c!", "--d", "-e!", "--f", "-g", "--h", "--i!", "-j");
  expect(pathsOf(toDifferingRows(all))).toBe("root a b c! e! g i!");
  expect(toDifferingRows(rows("root", "-a"))).toEqual([]);
  expect(pathsOf(toDifferingRows(rows("root!", "-a", "-b")))).toBe("root!");
});

test("n and N walk the differences, and stay where there is none", () => {
  const all = rows("root", "-a!", "-b", "-c!");
  expect(findDifference(all, 0, 1)).toBe(1);
  expect(findDifference(all, 1, 1)).toBe(3);
  expect(findDifference(all, 3, 1)).toBeNull();
  expect(findDifference(all, 3, -1)).toBe(1);
  expect(toRowMove("n", all, 1, 10)).toBe(3);
  expect(toRowMove("N", all, 1, 10)).toBeNull();
});

test.each([
  ["ArrowDown", 2],
  ["ArrowUp", 0],
  ["PageDown", 3],
  ["PageUp", 0],
  ["Home", 0],
  ["End", 3],
  ["x", null],
])("%s leads from the second of four rows to %s", (key, place) => {
  expect(toRowMove(key, rows("a", "b", "c", "d"), 1, 10)).toBe(place);
});
