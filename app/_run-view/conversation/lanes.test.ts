import { expect, test } from "vitest";
import { areColumns, toLanes } from "./lanes";

test("rounds and visits of an agent share a lane, and equal names are told apart", () => {
  const paths = ["refine#1/writer", "refine#2/writer", "writer", "critic#2"];
  const agents = paths.map((path) => ({ path, name: path.includes("writer") ? "writer" : "critic" }));
  expect(toLanes(agents)).toEqual([
    { key: "refine/writer", agent: "writer", label: "refine/writer" },
    { key: "writer", agent: "writer", label: "writer" },
    { key: "critic", agent: "critic", label: "critic" },
  ]);
});

test("two to four lanes become columns where there is room", () => {
  const lanes = (count: number) => Array.from({ length: count }, (_, at) => ({ key: `${at}`, agent: "a", label: "a" }));
  expect([0, 1, 2, 4, 5].map((count) => areColumns(lanes(count), 1200))).toEqual([false, false, true, true, false]);
  expect(areColumns(lanes(4), 390)).toBe(false);
});
