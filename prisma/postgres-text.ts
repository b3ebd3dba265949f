/**
 * A text as PostgreSQL can store it: it has no NUL, unlike SQLite, and no half of a pair of UTF-16 units, which SQLite does
 * not store either. Their place is taken by U+FFFD.
 */
export const toStorableText = (text: string): string =>
  /[\0\p{Surrogate}]/u.test(text) ? text.replaceAll(/[\0\p{Surrogate}]/gu, "\uFFFD") : text;
