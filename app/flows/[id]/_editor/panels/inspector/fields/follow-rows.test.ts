import { expect, it } from "vitest";
import { followRows, type NamedRow } from "./follow-rows";

const idsOf = (rows: readonly NamedRow[]): string[] => rows.map(({ id }) => id);
const rows = followRows([], ["tone", "limit", "topic"]);

it("keeps the id of a row that is renamed, also while others come and go", () => {
  expect(idsOf(followRows(rows, ["tone", "most", "topic"]))).toEqual(["tone", "limit", "topic"]);
  expect(idsOf(followRows(rows, ["style", "most", "topic"]))).toEqual(["tone", "limit", "topic"]);
  expect(idsOf(followRows(rows, ["tone", "theme"]))).toEqual(["tone", "theme"]);
  expect(idsOf(followRows(rows, ["style", "limit", "topic", "more"]))).toEqual(["tone", "limit", "topic", "more"]);
});

it("gives a new row with the old name of another one an id of its own", () => {
  const renamed = followRows(rows, ["tone", "most", "topic"]);
  const added = followRows(renamed, ["tone", "most", "topic", "limit"]);
  expect(idsOf(added)).toEqual(["tone", "limit", "topic", "limit'"]);
  expect(idsOf(followRows(added, ["tone", "topic", "limit"]))).toEqual(["tone", "topic", "limit'"]);
});

it("returns the same rows for the same names", () => {
  expect(followRows(rows, ["tone", "limit", "topic"])).toBe(rows);
});
