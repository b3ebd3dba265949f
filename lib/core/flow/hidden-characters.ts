/**
 * Characters that cannot be seen and change how a text looks or what a terminal does: control and escape characters,
 * those that turn the direction of writing, invisible ones, halves of surrogate pairs. Not: tabs, line ends, and what
 * joins emoji.
 */
const hidden =
  /(?!\r\n|[\t\n]|(?<=\p{Emoji})\ufe0f|(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

export const replaceHidden = (text: string, toMark: (character: string) => string): string =>
  text.replace(hidden, toMark);

/** A text in which every hidden character is visible as its code point, such as ⟨U+202E⟩, so that readers can trust it. */
export const showHidden = (text: string): string =>
  replaceHidden(
    text,
    (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
