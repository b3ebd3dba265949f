import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyChanges, toMinimalChange } from "./text-change";

describe("applyChanges", () => {
  it("applies changes in any order, all relative to the old text", () => {
    const changes = [
      { from: 4, to: 6, insert: "" },
      { from: 0, to: 0, insert: "(" },
      { from: 1, to: 2, insert: "bb" },
    ];
    expect(applyChanges("abcdef", changes)).toBe("(abbcd");
  });

  it("keeps insertions at one offset in their order, before a replacement there", () => {
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

describe("toMinimalChange", () => {
  it("replaces only the difference", () => {
    expect(toMinimalChange("a: 1\nb: 2\n", "a: 1\nb: 3\n")).toEqual({ from: 8, to: 9, insert: "3" });
    expect(toMinimalChange("aaa", "aa")).toEqual({ from: 2, to: 3, insert: "" });
    expect(toMinimalChange("😀", "😁😀")).toEqual({ from: 0, to: 0, insert: "😁" });
    expect(toMinimalChange("😀", "😁")).toEqual({ from: 0, to: 2, insert: "😁" });
    expect(toMinimalChange("same", "same")).toBeNull();
  });

  it("turns any text into any other", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "\n", "😀", "😁", "🤀"), { maxLength: 12 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const change = toMinimalChange(before, after) ?? { from: 0, to: 0, insert: "" };
        const parts = [before.slice(0, change.from), change.insert, before.slice(change.to)];
        expect(parts.join("")).toBe(after);
        // With `u` these are halves without the other one.
        expect(parts.filter((part) => /[\uD800-\uDFFF]/u.test(part))).toEqual([]);
      }),
    );
  });
});

it.each([
  [
    "a line that was typed below another one",
    "k:\n  a\n  b\nl: 1\n",
    "k:\n  a\nl: 1\n",
    { from: 6, to: 10, insert: "" },
  ],
  ["a line that was deleted", "k:\n  a\nl: 1\n", "k:\n  a\n  b\nl: 1\n", { from: 6, to: 6, insert: "\n  b" }],
  ["a line above another one", "k:\n  a\n  b\n", "k:\n  b\n", { from: 5, to: 9, insert: "" }],
])("%s is changed with its own indentation", (_, before, after, change) => {
  expect(toMinimalChange(before, after)).toEqual(change);
});
