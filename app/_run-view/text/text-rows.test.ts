import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinRows, toTextRows } from "./text-rows";

const rowsOf = (text: string, columns: number): string[] => {
  const rows = toTextRows(text, columns);
  return Array.from(rows.starts, (_, row) => joinRows(rows, row, row + 1));
};

describe("toTextRows", () => {
  test("lines, and the pieces of long ones", () => {
    expect(rowsOf("one\n\ntwo", 20)).toEqual(["one", "", "two"]);
    expect(rowsOf(`${"a".repeat(25)}\nb\n`, 20)).toEqual(["a".repeat(20), "aaaaa", "b"]);
    expect(rowsOf("", 20)).toEqual([]);
  });

  test("neither pairs nor marks are cut", () => {
    expect(rowsOf(`${"a".repeat(19)}😀b`, 20)).toEqual([`${"a".repeat(19)}😀`, "b"]);
    expect(rowsOf(`${"a".repeat(18)}\uE00012\uE001b`, 20)).toEqual(["a".repeat(18), "\uE00012\uE001b"]);
  });

  test("property: nothing is lost, and no row is longer than it may be", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "😀", "\uE0000\uE001", "\uE000", " "), maxLength: 300 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (given, columns) => {
        const { text: same, starts } = toTextRows(given, columns);
        const pieces = Array.from(starts, (start, row) => same.slice(start, starts[row + 1] ?? same.length));
        expect(pieces.join("")).toBe(given);
        for (const piece of pieces) {
          expect(piece.length).toBeGreaterThan(0);
          expect(piece.replace(/\n$/, "").length).toBeLessThanOrEqual(Math.max(12, columns) + 1);
          expect(piece.slice(0, -1)).not.toContain("\n");
        }
      }),
    );
  });

  test("a line of 20 million characters, and as many lines", () => {
    expect(toTextRows("x".repeat(20_000_000), 100).starts).toHaveLength(200_000);
    expect(toTextRows("\n".repeat(20_000_000), 100).starts).toHaveLength(20_000_000);
  });
});
