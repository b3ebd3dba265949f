import { describe, expect, it } from "vitest";
import { findNameAt, splitDsl } from "./words";

describe("splitDsl", () => {
  it("finds the ranges of names and operators", () => {
    const text = 'planner >> (a b | "c>d") >> writer';
    const words = splitDsl(text).map((word) => [text.slice(word.from, word.to), word.name]);
    expect(words).toEqual([
      ["planner", "planner"],
      [">>", null],
      ["(", null],
      ["a b", "a b"],
      ["|", null],
      ['"c>d"', "c>d"],
      [")", null],
      [">>", null],
      ["writer", "writer"],
    ]);
  });
});

describe("wordAt", () => {
  it("finds the name at an offset, its ends included", () => {
    const text = 'a >> "b c"';
    const at = (offset: number) => findNameAt(splitDsl(text), offset)?.name ?? null;
    expect([at(0), at(1), at(2), at(4), at(5), at(10)]).toEqual(["a", "a", null, null, "b c", "b c"]);
  });
});
