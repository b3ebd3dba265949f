import type { Fix } from "../flow/problem";
import type { TextChange } from "../flow/text-range";
import { type DslToken, isSpace } from "./lexer";

/*
 * Repairs of a DSL text, by the index of the token that is wrong. They look at the tokens round it, so that neither half
 * a sign nor a double space remains, and leave comments alone.
 */

export const insertion = (title: string, offset: number, insert: string): Fix => ({
  title,
  changes: [{ from: offset, to: offset, insert }],
});

/** The sign with the spaces that the text round `[from, to)` lacks. */
export function withSpaces(text: string, start: number, end: number, sign: string): string {
  const before = start > 0 && !isSpace(text[start - 1]) ? " " : "";
  const after = end < text.length && !isSpace(text[end]) ? " " : "";
  return before + sign + after;
}

export function replaceToken(text: string, token: DslToken, sign: string): Fix {
  const { from: start, to: end } = token;
  return { title: `Write ${sign}`, changes: [{ from: start, to: end, insert: withSpaces(text, start, end, sign) }] };
}

/** Closes a quote after the token; a single `\\` at its end would escape the quote, so it is doubled. */
export function closeQuote(text: string, token: DslToken): Fix {
  const slashes = /\\*$/.exec(text.slice(token.from + 1, token.to))?.[0].length ?? 0;
  return insertion('Add the missing "', token.to, slashes % 2 === 1 ? '\\"' : '"');
}

/** Takes out a sign that joins nothing. */
export function removeSign(text: string, tokens: readonly DslToken[], index: number): Fix {
  const [before, sign, after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (!sign) return { title: "Remove it", changes: [] };
  const atEnd = !after || after.type === "end" || after.type === "close";
  const start = atEnd && before && isBlank(text, before.to, sign.from) ? before.to : sign.from;
  // One gap stays: the one before the sign, or the one after it, or a new one, so that two signs do not merge.
  const needsGap = !atEnd && before?.to === sign.from && before.type !== "open";
  const end = after && after.type !== "end" && !needsGap && isBlank(text, sign.to, after.from) ? after.from : sign.to;
  const insert = needsGap && after?.from === sign.to ? " " : "";
  return { title: `Remove the ${sign.text}`, changes: [{ from: start, to: end, insert }] };
}

/** Takes out a member, from its first to its last token, with one sign beside it and the parentheses that it alone fills. */
export function removeMember(
  text: string,
  tokens: readonly DslToken[],
  [firstToken, lastToken]: readonly [firstToken: number, lastToken: number],
): TextChange[] {
  let [startIndex, endIndex] = [firstToken, lastToken];
  while (tokens[startIndex - 1]?.type === "open" && tokens[endIndex + 1]?.type === "close") {
    startIndex--;
    endIndex++;
  }
  const [before, after] = [tokens[startIndex - 1], tokens[endIndex + 1]];
  const [start, end] = [tokens[startIndex], tokens[endIndex]];
  if (!start || !end) return [];
  const removal = { from: start.from, to: end.to, insert: "" };
  const signs = [isArrow(before) && before, isArrow(after) && after, isPipe(before) && before, isPipe(after) && after];
  const sign = signs.find((candidate) => candidate !== false);
  if (!sign) return [removal];
  if (sign === before) {
    const previous = tokens[startIndex - 2];
    const tight = previous && isBlank(text, previous.to, sign.from) && !continues(after, removal.to);
    return joined(text, { from: tight ? previous.to : sign.from, to: sign.to, insert: "" }, removal);
  }
  const next = tokens[endIndex + 2];
  const signEnd = next && isBlank(text, sign.to, next.from) ? next.from : sign.to;
  return joined(text, removal, { from: sign.from, to: signEnd, insert: "" });
}

const isArrow = (token: DslToken | undefined): token is DslToken =>
  token?.type === "arrow" || token?.type === "wrong-arrow";
const isPipe = (token: DslToken | undefined): token is DslToken => token?.type === "pipe";

/** Whether a token follows without any space, so that the text before the gap would merge with it. */
const continues = (token: DslToken | undefined, offset: number): boolean =>
  token?.type === "name" && token.from === offset;

/** Two removals as one where only blanks separate them. */
const joined = (text: string, firstRemoval: TextChange, secondRemoval: TextChange): TextChange[] =>
  isBlank(text, firstRemoval.to, secondRemoval.from)
    ? [{ from: firstRemoval.from, to: secondRemoval.to, insert: "" }]
    : [firstRemoval, secondRemoval];

const isBlank = (text: string, start: number, end: number): boolean => /^[ \t]*$/.test(text.slice(start, end));
