import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitDsl } from "./dsl-highlight";
import { toMinimalChange } from "./minimal-change";

describe("toMinimalChange", () => {
  it("touches only what differs", () => {
    expect(toMinimalChange("a: 1\nb: 2\n", "a: 1\nb: 3\n")).toEqual({ from: 8, to: 9, insert: "3" });
    expect(toMinimalChange("aaa", "aa")).toEqual({ from: 2, to: 3, insert: "" });
    expect(toMinimalChange("same", "same")).toBeNull();
  });

  it("turns any text into any other", () => {
    const text = fc.array(fc.constantFrom("a", "b", "\n", "😀"), { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const change = toMinimalChange(before, after) ?? { from: 0, to: 0, insert: "" };
        expect(before.slice(0, change.from) + change.insert + before.slice(change.to)).toBe(after);
      }),
    );
  });
});

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
