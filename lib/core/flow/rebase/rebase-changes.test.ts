import fc from "fast-check";
import { expect, it, test } from "vitest";
import { applyChanges } from "../text-change";
import type { TextChange } from "../text-range";
import { rebaseBackwards, rebaseChanges } from "./rebase-changes";

/** Changes of a text of 12 characters that do not overlap, but may touch. */
const anyChanges = (letters: string) =>
  fc
    .array(fc.tuple(fc.nat(12), fc.nat(4), fc.string({ unit: fc.constantFrom(...letters), maxLength: 3 })), {
      maxLength: 3,
    })
    .map((drafts) => {
      const changes: TextChange[] = [];
      let end = 0;
      for (const [start, length, insert] of drafts.toSorted(([a], [b]) => a - b)) {
        const to = Math.min(12, start + length);
        if (start < end || (to === start && insert === "")) continue;
        changes.push({ from: start, to, insert });
        end = to;
      }
      return changes;
    });

const text = "abcdefghijkl";

it("property: own and foreign changes lead to the same text in either order, and nothing inserted is lost", () => {
  fc.assert(
    fc.property(anyChanges("XYZ"), anyChanges("123"), (own, foreign) => {
      const foreignFirst = applyChanges(applyChanges(text, foreign), rebaseChanges(own, foreign, "own"));
      const ownFirst = applyChanges(applyChanges(text, own), rebaseChanges(foreign, own, "foreign"));
      expect(foreignFirst).toBe(ownFirst);
      const kept = (letters: RegExp, from: string): string =>
        [...from].filter((letter) => letters.test(letter)).join("");
      expect(kept(/[XYZ]/, ownFirst)).toBe(own.map(({ insert }) => insert).join(""));
      expect(kept(/\d/, ownFirst)).toBe(foreign.map(({ insert }) => insert).join(""));
    }),
    { numRuns: 3000 },
  );
});

it("property: rebased changes and their inverse revert each other", () => {
  fc.assert(
    fc.property(anyChanges("XYZ"), anyChanges("123"), (inverse, foreign) => {
      // `inverse` leads from the text to the one before, `changes` back.
      const before = applyChanges(text, inverse);
      let shift = 0;
      const changes = inverse.map(({ from: start, to: end, insert }) => {
        const change = { from: start + shift, to: start + shift + insert.length, insert: text.slice(start, end) };
        shift += insert.length - (end - start);
        return change;
      });
      expect(applyChanges(before, changes)).toBe(text);
      const rebased = rebaseBackwards({ changes, inverse }, foreign);
      const now = applyChanges(text, foreign);
      const undone = applyChanges(now, rebased.inverse);
      expect(undone).toBe(applyChanges(before, rebased.rest));
      expect(applyChanges(undone, rebased.changes)).toBe(now);
    }),
    { numRuns: 3000 },
  );
});

test("what someone inserted in the middle of a deleted text stays", () => {
  const own = [{ from: 2, to: 8, insert: "" }];
  const foreign = [{ from: 5, to: 5, insert: "new" }];
  expect(applyChanges(applyChanges(text, foreign), rebaseChanges(own, foreign))).toBe("abnewijkl");
});
