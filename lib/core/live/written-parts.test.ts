import fc from "fast-check";
import { expect, it } from "vitest";
import * as Y from "yjs";
import type { TextRange } from "../flow/text-range";
import { findLetter, findLetters, findParts, findRanges, isInText, type WrittenPart } from "./written-parts";

/** A text of which every second letter is deleted. */
function openScattered(letters: number): Y.Doc {
  const doc = new Y.Doc();
  doc.clientID = 7;
  doc.getText("source").insert(0, "x".repeat(letters * 2));
  for (let offset = 0; offset < letters; offset++) doc.getText("source").delete(offset, 1);
  return doc;
}

const partOf = (client: number, start: number, end: number): WrittenPart => ({
  start: { client, clock: start },
  end: { client, clock: end },
});

it("ranges of many parts are found without a comparison of each part with each insertion", () => {
  const doc = openScattered(500);
  let reads = 0;
  const parts = Array.from({ length: 500 }, (_, index) => {
    const { start, end } = partOf(7, index * 2 + 1, index * 2 + 1);
    return {
      end,
      get start() {
        reads++;
        return start;
      },
    };
  });
  expect(findRanges(doc, parts)).toHaveLength(500);
  expect(reads).toBeLessThan(500 * 50);
});

it("parts that overlap are one range of each insertion", () => {
  const doc = openScattered(3);
  expect(findRanges(doc, [partOf(7, 0, 3), partOf(7, 2, 9), partOf(8, 0, 9)])).toEqual([
    { from: 0, to: 1 },
    { from: 1, to: 2 },
    { from: 2, to: 3 },
  ]);
});

it("property: a part of the text is where it was found, and is in the text until all of it is deleted", () => {
  const edit = fc.record({ client: fc.integer({ min: 1, max: 3 }), place: fc.nat(), removed: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 30 }), fc.nat(), fc.nat(), (edits, one, other) => {
      const doc = new Y.Doc();
      const text = doc.getText("source");
      for (const { client, place, removed } of edits) {
        doc.clientID = client;
        const offset = place % (text.length + 1);
        text.delete(offset, Math.min(removed, text.length - offset));
        text.insert(offset, "abc");
      }
      const [from, to] = [one % text.length, other % text.length].toSorted((a, b) => a - b);
      const range = { from: from ?? 0, to: (to ?? 0) + 1 };
      const parts = findParts(doc, range);
      expect(lettersOf(findRanges(doc, parts))).toEqual(lettersOf([range]));
      expect(isInText(doc, parts)).toBe(true);
      text.delete(range.from, range.to - range.from);
      expect(findRanges(doc, parts)).toEqual([]);
      expect(isInText(doc, parts)).toBe(false);
    }),
  );
});

const lettersOf = (ranges: readonly TextRange[]): number[] =>
  ranges.flatMap(({ from: start, to: end }) => Array.from({ length: end - start }, (_, index) => start + index));

it("letters are found at once where each alone is found", () => {
  const doc = openScattered(50);
  doc.getText("source").insert(20, "inserted");
  const keys = [...Array.from({ length: 110 }, (_, clock) => `7:${clock}`), "8:0", "7", "no key"];
  const alone = keys.flatMap((key): [string, number][] => {
    const offset = findLetter(doc, key);
    return offset === null ? [] : [[key, offset]];
  });
  expect(alone.length).toBe(58);
  expect(Object.fromEntries(findLetters(doc, keys))).toEqual(Object.fromEntries(alone));
});
