/** Letters of scripts in which a joiner between two of them changes their shape. */
const joining = [
  ...["Arabic", "Syriac", "Mongolian", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu"],
  ...["Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar"],
]
  .map((script) => `\\p{Script=${script}}`)
  .join("");

/** Characters without a shape that belong to the one before: they join emoji or letters, or choose a variant. */
const allowed = [
  "(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]",
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
  "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})",
  `(?<=[${joining}])[\\u200c\\u200d](?=[${joining}])`,
  "(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]",
].join("|");

/**
 * Control, format and unassigned characters, those of private use, halves of surrogate pairs, line and paragraph separators,
 * and what looks like a space and is none.
 */
const forbidden = "[\\p{C}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]";

const forbiddenInName = new RegExp(`(?!${allowed})${forbidden}`, "u");
const forbiddenInNames = new RegExp(forbiddenInName, "gu");
const breaks = /[\p{Cc}\p{Zl}\p{Zp}\u2800]/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether a name has characters that names may not have in lists and mails: they hide, or change what is around them. */
export const hasForbiddenCharacters = (name: string): boolean => forbiddenInName.test(name);

/** Longest text, in UTF-16 units, of which a name is made. */
const maxUnits = 2000;

/**
 * A text as a name in lists and mails: on one line, without characters that hide or change what is around them. Emoji and
 * letters that are joined stay so. Empty: nothing of it can be seen.
 */
export function toDisplayName(text: string): string {
  const name = text
    .slice(0, maxUnits)
    .replace(forbiddenInNames, (character) => (breaks.test(character) ? " " : ""))
    .replace(/\s+/gu, " ")
    .trim();
  return visible.test(name) ? name : "";
}

/** The first characters of a name, none of them cut in two. */
export const cutName = (name: string, maxCharacters: number): string =>
  Array.from(name).slice(0, maxCharacters).join("");
