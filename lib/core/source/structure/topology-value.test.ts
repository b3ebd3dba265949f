import { expect, it } from "vitest";
import { renameInValue } from "./topology-value";

it.each([
  [
    "two linked members",
    [
      ["a", "b"],
      ["b", "c"],
      ["c", "d"],
    ],
    new Map([["c", "b"]]),
    [
      ["a", "b"],
      ["b", "d"],
    ],
  ],
  [
    "two members with one between them",
    [
      ["a", "b"],
      ["b", "c"],
    ],
    new Map([["c", "a"]]),
    [["a", "b"]],
  ],
] as const)("%s that get one name make no circle", (_, links, names, expected) => {
  const value = { type: "links", names: ["a", "b", "c", "d"], links } as const;
  expect(renameInValue(value, names)).toMatchObject({ type: "links", links: expected });
});

it("a circle that was drawn stays", () => {
  const links = [
    ["a", "b"],
    ["b", "a"],
    ["b", "c"],
  ] as const;
  const value = { type: "links", names: ["a", "b", "c"], links } as const;
  expect(renameInValue(value, new Map([["c", "b"]]))).toMatchObject({
    links: [
      ["a", "b"],
      ["b", "a"],
      ["b", "b"],
    ],
  });
});
