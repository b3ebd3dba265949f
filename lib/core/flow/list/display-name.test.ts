import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cutName, hasForbiddenCharacters, toDisplayName } from "./display-name";

const kept = [
  "Ann",
  "李",
  "José María",
  "👩‍🚀",
  "❤️‍🔥 and 1️⃣",
  "👍🏽",
  "🏳️‍🌈",
  "علی‌رضا",
  "ශ්‍රී",
  "葛\u{e0100}城",
  "O’Neil – “x” <y>",
];

test.each(kept)("the name %s stays as it is", (name) => {
  expect(hasForbiddenCharacters(name)).toBe(false);
  expect(toDisplayName(name)).toBe(name);
});

test.each([
  ["a zero width space", "An\u200bn"],
  ["a soft hyphen", "An\u00adn"],
  ["a word joiner", "An\u2060n"],
  ["tag characters", "An\u{e0001}\u{e0041}\u{e007f}n"],
  ["a joiner of no emoji", "An\u200dn"],
  ["a non-joiner between Latin letters", "An\u200cn"],
  ["a variation selector after a letter", "An\ufe0fn"],
  ["a Hangul filler", "An\u3164\u115f\uffa0n"],
  ["a combining grapheme joiner", "An\u034fn"],
  ["direction marks", "\u202eAn\u2066\u200f\u061cn"],
  ["an unassigned code point", "An\u{effff}\u0378n"],
  ["a character of private use", "An\ue000n"],
  ["half a surrogate pair", "An\ud800n"],
])("%s is taken out", (_name, text) => {
  expect(hasForbiddenCharacters(text)).toBe(true);
  expect(toDisplayName(text)).toBe("Ann");
});

test.each([
  ["a line end", "Ann\r\nLee"],
  ["an escape", "Ann\u001bLee"],
  ["a null", "Ann\u0000Lee"],
  ["a line separator", "Ann\u2028Lee"],
  ["a paragraph separator", "Ann\u2029 Lee"],
  ["a blank Braille pattern", "Ann\u2800Lee"],
])("%s becomes a space", (_name, text) => {
  expect(hasForbiddenCharacters(text)).toBe(true);
  expect(toDisplayName(text)).toBe("Ann Lee");
});

test.each(["", " ", "\u3164", "\u2800\u2800", "\u200b", "\u{e0041}", "\u0301", "\ufe0f", "\u200d"])(
  "of %j nothing can be seen",
  (text) => {
    expect(toDisplayName(text)).toBe("");
  },
);

test("a name is one line, has no forbidden character, and stays the same when it is made again", () => {
  const part = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(...kept, "\u200d", "\u200c", "\ufe0f", "\u202e", "\u{e0041}", "\u2800", "\n", "\ud83d"),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const name = toDisplayName(parts.join(""));
      expect(hasForbiddenCharacters(name)).toBe(false);
      expect(toDisplayName(name)).toBe(name);
      expect(name).not.toMatch(/[\n\r\u2028\u2029]/);
    }),
  );
});

test("a long name is cut between characters, and made in little time", () => {
  expect(cutName("👍🏽👍", 3)).toBe("👍🏽👍");
  expect(cutName("a👍b", 2)).toBe("a👍");
  const long = "👩\u200d".repeat(2_000_000);
  const startedAt = performance.now();
  toDisplayName(long);
  expect(performance.now() - startedAt).toBeLessThan(100);
});
