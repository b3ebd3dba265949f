import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCodePoint } from "./code-point.arbitrary";
import { showHidden } from "./hidden-characters";

describe("showHidden", () => {
  it.each([
    ["an escape sequence", "a\u001b[2Jb", "a⟨U+001B⟩[2Jb"],
    ["one of 8 bits", "a\u009b31mb", "a⟨U+009B⟩31mb"],
    ["a carriage return that writes over a line", "rm -rf /\recho hello", "rm -rf /⟨U+000D⟩echo hello"],
    ["bell, backspace and delete", "\u0007\b\u007f", "⟨U+0007⟩⟨U+0008⟩⟨U+007F⟩"],
    ["an override of the direction", "gpj.\u202eexe\u202c", "gpj.⟨U+202E⟩exe⟨U+202C⟩"],
    [
      "isolates and marks of the direction",
      "\u2066\u2069\u200e\u200f\u061c",
      "⟨U+2066⟩⟨U+2069⟩⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩",
    ],
    ["characters without width", "pay\u200bpal \u2060\ufeff\u00ad", "pay⟨U+200B⟩pal ⟨U+2060⟩⟨U+FEFF⟩⟨U+00AD⟩"],
    ["text that is hidden in tags", "a\u{e0041}\u{e0001}", "a⟨U+E0041⟩⟨U+E0001⟩"],
    ["letters that look like a space", "a\u3164b\u115f", "a⟨U+3164⟩b⟨U+115F⟩"],
    ["line separators", "a\u2028b\u2029", "a⟨U+2028⟩b⟨U+2029⟩"],
    ["half of a pair", "a\ud800b", "a⟨U+D800⟩b"],
    ["variation selectors after a letter", "a\ufe0f\u{e0100}", "a⟨U+FE0F⟩⟨U+E0100⟩"],
  ])("shows %s", (_, text, shown) => expect(showHidden(text)).toBe(shown));

  it.each(["", "a\tb\nc\r\nd", "Grüße, 世界, שלום", "❤️ 👍🏽 👩‍💻 👩🏽‍🚀 🏳️‍🌈 1️⃣", "e\u0301"])(
    "leaves %j as it is",
    (text) => expect(showHidden(text)).toBe(text),
  );

  it("removes every character that controls a terminal or the text direction, in any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), (text) => {
        expect(showHidden(text)).not.toMatch(/(?!\r\n)[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\u200e\u200f]/u);
      }),
    );
  });
});
