import { describe, expect, it } from "vitest";
import { splitDsl } from "./dsl-highlight";

describe("splitDsl", () => {
  it("finds names and operators where they stand", () => {
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
