import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareInstructions } from "./compare-instructions";

describe("compareInstructions", () => {
  test("names the words that changed", () => {
    expect(compareInstructions("Be brief. Round 1.", "Be brief. Round 2.")).toEqual([
      { type: "same", text: "Be brief. Round " },
      { type: "removed", text: "1" },
      { type: "added", text: "2" },
      { type: "same", text: "." },
    ]);
  });

  test("equal texts are one piece, empty ones none", () => {
    expect(compareInstructions("same", "same")).toEqual([{ type: "same", text: "same" }]);
    expect(compareInstructions("", "")).toEqual([]);
  });

  test("property: both texts can be put together from the pieces", () => {
    const text = fc.array(fc.constantFrom("a", "b", "loom", " ", "\n", ".", "é", "😀"), { maxLength: 40 });
    fc.assert(
      fc.property(text, text, (one, two) => {
        const [older, newer] = [one.join(""), two.join("")];
        const pieces = compareInstructions(older, newer);
        const without = (gone: string) => pieces.filter(({ type }) => type !== gone).map((piece) => piece.text);
        expect(without("added").join("")).toBe(older);
        expect(without("removed").join("")).toBe(newer);
      }),
    );
  });
});
