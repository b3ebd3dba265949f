import fc from "fast-check";
import { expect, it } from "vitest";
import { applyChanges } from "../text-change";
import type { TextRange } from "../text-range";
import { countLetters, joinRanges, listInserted, moveRanges } from "./move-ranges";

it("leaves out what is deleted, and what is inserted between the letters of a range", () => {
  const changes = [
    { from: 2, to: 4, insert: "xyz" },
    { from: 6, to: 6, insert: "-" },
  ];
  expect(moveRanges([{ from: 1, to: 8 }], changes)).toEqual([
    { from: 1, to: 2 },
    { from: 5, to: 7 },
    { from: 8, to: 10 },
  ]);
  expect(moveRanges([{ from: 6, to: 7 }], changes)).toEqual([{ from: 8, to: 9 }]);
  expect(moveRanges([{ from: 2, to: 3 }], changes)).toEqual([]);
  expect(listInserted(changes)).toEqual([
    { from: 2, to: 5 },
    { from: 7, to: 8 },
  ]);
});

it("property: ranges have the same letters afterwards but those that are deleted", () => {
  const offset = fc.nat(20);
  const range = fc.tuple(offset, offset).map(([a, b]): TextRange => ({ from: Math.min(a, b), to: Math.max(a, b) }));
  fc.assert(
    fc.property(
      fc.array(range),
      range,
      fc.string({ unit: fc.constantFrom("x", "y"), maxLength: 3 }),
      (ranges, at, insert) => {
        // Upper-case letters are in a range.
        const letters = Array.from("abcdefghijklmnopqrst", (letter, index) =>
          ranges.some(({ from, to }) => from <= index && index < to) ? letter.toUpperCase() : letter,
        );
        const text = letters.join("");
        const joined = joinRanges(ranges);
        const next = applyChanges(text, [{ ...at, insert }]);
        const moved = moveRanges(joined, [{ ...at, insert }]);
        expect(countLetters(joined)).toBe(letters.filter((letter) => /[A-Z]/.test(letter)).length);
        expect(moved.map(({ from, to }) => next.slice(from, to)).join("")).toBe(next.replace(/[^A-Z]/g, ""));
      },
    ),
  );
});
