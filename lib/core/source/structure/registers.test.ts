import fc from "fast-check";
import { expect, it } from "vitest";
import { applyChanges } from "../../flow/text-change";
import type { TextChange, TextRange } from "../../flow/text-range";
import { type ChangedRegister, widenToRegisters } from "./registers";

const before = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Ranges that do not overlap, in the order of the text. */
const anyRanges = fc.uniqueArray(fc.nat(before.length), { maxLength: 10 }).map((offsets): TextRange[] => {
  const sorted = offsets.toSorted((a, b) => a - b);
  return sorted.flatMap((from, index) => {
    const to = sorted[index + 1];
    return index % 2 === 0 && to !== undefined ? [{ from, to }] : [];
  });
});

const anyChanges = fc
  .tuple(anyRanges, fc.array(fc.constantFrom("", "A", "BC", "DEF"), { minLength: 5, maxLength: 5 }))
  .map(([ranges, inserts]) =>
    ranges.map(({ from, to }, index): TextChange => {
      const insert = inserts[index] ?? "";
      // An insertion, or a replacement.
      return index % 2 === 0 && insert !== "" ? { from, to: from, insert } : { from, to, insert };
    }),
  );

function toRegisters(ranges: readonly TextRange[]): ChangedRegister[] {
  const register = { scope: { type: "root" } as const, ranges, readValue: () => "" };
  return [{ key: "[]", previous: register, register }];
}

it("property: widened changes lead to the same text, and replace each field as a whole", () => {
  fc.assert(
    fc.property(anyChanges, anyRanges, (changes, fields) => {
      const after = applyChanges(before, changes);
      const widened = widenToRegisters(changes, toRegisters(fields), { before, after });
      expect(applyChanges(before, widened)).toBe(after);
      for (const range of [...changes, ...fields])
        expect(widened.filter(({ from, to }) => from <= range.from && range.to <= to)).toHaveLength(1);
      for (const [index, { from }] of widened.entries()) expect(from).toBeGreaterThan(widened[index - 1]?.to ?? -1);
    }),
    { numRuns: 500 },
  );
});

it.each(["\n", "\r\n"])("the end of a line that stays is not written anew: %j", (eol) => {
  const [old, next] = [`flow: a${eol}`, `flow: b${eol}`];
  const changes = [{ from: 0, to: old.length, insert: next }];
  expect(widenToRegisters(changes, [], { before: old, after: next })).toEqual([{ from: 0, to: 7, insert: "flow: b" }]);
});

it("a line end that comes anew is written", () => {
  const changes = [{ from: 0, to: 7, insert: "flow: b\n" }];
  const texts = { before: "flow: a", after: "flow: b\n" };
  expect(widenToRegisters(changes, [], texts)).toEqual(changes);
});
