import { expect, it } from "vitest";
import { describeVersions, groupVersions } from "./group-versions";
import type { Version } from "./request-versions";

const minute = 60_000;
const version = (id: string, minutes: number, more: Partial<Version> = {}): Version => ({
  id,
  number: minutes,
  createdAt: minutes * minute,
  createdBy: "You",
  name: null,
  summary: "",
  runs: 0,
  ...more,
});
const idsOf = (versions: Version[]): string[][] =>
  groupVersions(versions).map(({ newest, others }) => [newest.id, ...others.map(({ id }) => id)]);

it("groups saves of one user without a long pause", () => {
  expect(idsOf([version("e", 20), version("d", 19), version("c", 15), version("b", 8), version("a", 7)])).toEqual([
    ["e", "d", "c"],
    ["b", "a"],
  ]);
  expect(idsOf([version("b", 2, { createdBy: "Anna" }), version("a", 1)])).toEqual([["b"], ["a"]]);
});

it("keeps named versions apart", () => {
  expect(idsOf([version("c", 3), version("b", 2, { name: "Launch" }), version("a", 1)])).toEqual([["c"], ["b", "a"]]);
});

it("describes each change once, oldest first", () => {
  const versions = [
    version("b", 2, { summary: "Edited the text\nAdded x" }),
    version("a", 1, { summary: "Edited the text" }),
  ];
  expect(describeVersions(versions)).toEqual(["Edited the text", "Added x"]);
});
