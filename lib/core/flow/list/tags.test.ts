import fc from "fast-check";
import { expect, it } from "vitest";
import { hasForbiddenCharacters } from "./display-name";
import { normalizeTags, tagLimits } from "./tags";

it.each([
  [
    ["  Support ", "live", "LIVE"],
    ["support", "live"],
  ],
  [
    ["a,b", "two  words"],
    ["a b", "two words"],
  ],
  [
    ["evil\u202etxt", "zero\u200bwidth", "a\nb"],
    ["eviltxt", "zerowidth", "a b"],
  ],
  [["\u200b", "\u2800", " "], []],
  [["👩‍🚀".repeat(11)], ["👩‍🚀".repeat(10)]],
])("of %j it keeps %j", (tags, expected) => {
  expect(normalizeTags(tags)).toEqual(expected);
});

it("property: tags are short names on one line, and stay as they are", () => {
  const tags = fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" })));
  fc.assert(
    fc.property(tags, (texts) => {
      const kept = normalizeTags(texts);
      expect(normalizeTags(kept)).toEqual(kept);
      expect(kept.length).toBeLessThanOrEqual(tagLimits.count);
      for (const tag of kept) {
        expect(hasForbiddenCharacters(tag)).toBe(false);
        expect(tag).not.toMatch(/[\n,]/);
        expect(Array.from(tag).length).toBeLessThanOrEqual(tagLimits.length);
      }
    }),
  );
});
