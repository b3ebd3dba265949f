import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyChanges } from "./text-change";

describe("applyChanges", () => {
  it("takes changes in any order, all against the old text", () => {
    const changes = [
      { from: 4, to: 6, insert: "" },
      { from: 0, to: 0, insert: "(" },
      { from: 1, to: 2, insert: "bb" },
    ];
    expect(applyChanges("abcdef", changes)).toBe("(abbcd");
  });

  it("keeps insertions at one place in their given order, before what is replaced there", () => {
    const changes = [
      { from: 1, to: 2, insert: "z" },
      { from: 1, to: 1, insert: "x" },
      { from: 1, to: 1, insert: "y" },
    ];
    expect(applyChanges("abc", changes)).toBe("axyzc");
  });

  it.each([
    [
      [
        { from: 0, to: 2, insert: "" },
        { from: 1, to: 3, insert: "" },
      ],
    ],
    [[{ from: 2, to: 1, insert: "" }]],
    [[{ from: 0, to: 9, insert: "" }]],
    [[{ from: -1, to: 0, insert: "" }]],
  ])("refuses %j", (changes) => expect(() => applyChanges("abc", changes)).toThrow(/overlap or leave/));

  it("changes nothing without changes, and everything with one", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, insert) => {
        expect(applyChanges(text, [])).toBe(text);
        expect(applyChanges(text, [{ from: 0, to: text.length, insert }])).toBe(insert);
      }),
    );
  });
});
