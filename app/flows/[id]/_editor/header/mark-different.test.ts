import { describe, expect, it } from "vitest";
import { markDifferent } from "./mark-different";

const marked = (left: string, right: string) =>
  markDifferent(left, right).map((lines) => lines.filter((line) => line.differs).map((line) => line.text));

describe("markDifferent", () => {
  it("marks only what the other side does not have", () => {
    expect(marked("a\nb\nc\nd", "a\nx\nc\ny\nd")).toEqual([["b"], ["x", "y"]]);
    expect(marked("same", "same")).toEqual([[], []]);
    expect(marked("", "a\nb")).toEqual([[""], ["a", "b"]]);
  });

  it("numbers the lines as they stand in the text", () => {
    const [left] = markDifferent("a\nb", "a\nc");
    expect(left).toEqual([
      { number: 1, text: "a", differs: false },
      { number: 2, text: "b", differs: true },
    ]);
  });

  it("stays quick on huge texts", () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `line ${i}`);
    const [left] = markDifferent(many.join("\n"), many.toReversed().join("\n"));
    expect(left).toHaveLength(20_000);
  });
});
