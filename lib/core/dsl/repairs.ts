import type { Fix } from "../flow/problem";
import type { TextChange } from "../flow/text-range";
import { isSpace, type Token } from "./lexer";

/*
 * Repairs of a DSL text, by the index of the token that is wrong. They look at the tokens round it, so that neither half
 * a sign nor a double space stays behind, and leave comments alone.
 */

export const insertion = (title: string, at: number, insert: string): Fix => ({
  title,
  changes: [{ from: at, to: at, insert }],
});

/** The sign with the spaces that the text round `[from, to)` lacks. */
export function withSpaces(text: string, from: number, to: number, sign: string): string {
  const before = from > 0 && !isSpace(text[from - 1]) ? " " : "";
  const after = to < text.length && !isSpace(text[to]) ? " " : "";
  return before + sign + after;
}

export function replaceToken(text: string, token: Token, sign: string): Fix {
  const { from, to } = token;
  return { title: `Write ${sign}`, changes: [{ from, to, insert: withSpaces(text, from, to, sign) }] };
}

/** Closes a quote behind the token; a single `\\` at its end would escape the quote, so it is doubled. */
export function closeQuote(text: string, token: Token): Fix {
  const slashes = /\\*$/.exec(text.slice(token.from + 1, token.to))?.[0].length ?? 0;
  return insertion('Add the missing "', token.to, slashes % 2 === 1 ? '\\"' : '"');
}

/** Takes out a sign that joins nothing. */
export function removeSign(text: string, tokens: readonly Token[], index: number): Fix {
  const [before, sign, after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (!sign) return { title: "Remove it", changes: [] };
  const atEnd = !after || after.type === "end" || after.type === "close";
  const from = atEnd && before && isBlank(text, before.to, sign.from) ? before.to : sign.from;
  // One gap stays: the one before the sign, or else the one behind it, or else a new one, lest two signs become another.
  const needsGap = !atEnd && before?.to === sign.from && before.type !== "open";
  const to = after && after.type !== "end" && !needsGap && isBlank(text, sign.to, after.from) ? after.from : sign.to;
  const insert = needsGap && after?.from === sign.to ? " " : "";
  return { title: `Remove the ${sign.text}`, changes: [{ from, to, insert }] };
}

/** A member: the indexes of its first and last token. */
interface Part {
  first: number;
  last: number;
  title: string;
}

/** Takes out a member with one sign beside it and the parentheses that it alone fills. */
export function removePart(text: string, tokens: readonly Token[], { first, last, title }: Part): Fix {
  let [from, to] = [first, last];
  while (tokens[from - 1]?.type === "open" && tokens[to + 1]?.type === "close") {
    from--;
    to++;
  }
  const [before, after] = [tokens[from - 1], tokens[to + 1]];
  const [start, end] = [tokens[from], tokens[to]];
  if (!start || !end) return { title, changes: [] };
  const part = { from: start.from, to: end.to, insert: "" };
  const signs = [isArrow(before) && before, isArrow(after) && after, isPipe(before) && before, isPipe(after) && after];
  const sign = signs.find((one) => one !== false);
  if (!sign) return { title, changes: [part] };
  if (sign === before) {
    const previous = tokens[from - 2];
    const tight = previous && isBlank(text, previous.to, sign.from) && !continues(after, part.to);
    const signStart = tight ? previous.to : sign.from;
    return { title, changes: joined(text, { from: signStart, to: sign.to, insert: "" }, part) };
  }
  const next = tokens[to + 2];
  const signEnd = next && isBlank(text, sign.to, next.from) ? next.from : sign.to;
  return { title, changes: joined(text, part, { from: sign.from, to: signEnd, insert: "" }) };
}

const isArrow = (token: Token | undefined): token is Token => token?.type === "arrow" || token?.type === "wrong-arrow";
const isPipe = (token: Token | undefined): token is Token => token?.type === "pipe";

/** Whether a token follows without any space, so that what stood before the gap would run into it. */
const continues = (token: Token | undefined, at: number): boolean => token?.type === "name" && token.from === at;

/** Two removals as one where nothing but blanks stands between them. */
const joined = (text: string, first: TextChange, second: TextChange): TextChange[] =>
  isBlank(text, first.to, second.from) ? [{ from: first.from, to: second.to, insert: "" }] : [first, second];

const isBlank = (text: string, from: number, to: number): boolean => /^[ \t]*$/.test(text.slice(from, to));
