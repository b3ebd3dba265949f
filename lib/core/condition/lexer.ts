import type { Range } from "../flow/text-range";

export type TokenType = "name" | "number" | "text" | "sign" | "unclosed-quote" | "unexpected" | "end";

export interface Token extends Range {
  type: TokenType;
  /** For text: what it says. For names and signs: the one spelling that the parser knows (`or` for `||`). */
  text: string;
  /** What was most likely meant, for `=`, `AND` and the like, which mean nothing here. */
  meant?: string;
}

const signs = /===|!==|==|!=|<>|=>|=<|<=|>=|&&|\|\||[=&|<>!+\-*/%()[\]?:,.≠≤≥]/y;
const spellings = new Map([
  ["===", "=="],
  ["!==", "!="],
  ["&&", "and"],
  ["||", "or"],
  ["!", "not"],
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);
const mistakes = new Map([
  ["=", "=="],
  ["<>", "!="],
  ["≠", "!="],
  ["=>", ">="],
  ["≥", ">="],
  ["=<", "<="],
  ["≤", "<="],
  ["&", "and"],
  ["|", "or"],
]);
/** Words that stand between values or before one. */
export const operatorWords: ReadonlySet<string> = new Set(["and", "or", "not", "in"]);

const blank = /[\s\p{Cc}]*/uy;
const number = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const name = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;
const double = /"(?:[^"\\]|\\.)*"/sy;
const single = /'(?:[^'\\]|\\.)*'/sy;

/** Splits a condition into tokens; never throws; ends with one `end` token. An unclosed quote holds all that follows. */
export function lex(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = skipBlank(text, 0); at < text.length; ) {
    const token = readToken(text, at);
    tokens.push(token);
    at = skipBlank(text, token.to);
  }
  tokens.push({ type: "end", text: "the end", from: text.length, to: text.length });
  return tokens;
}

const skipBlank = (text: string, from: number): number => from + (matchAt(blank, text, from)?.length ?? 0);

function readToken(text: string, from: number): Token {
  const token = (type: TokenType, found: string, says = found): Token => ({
    type,
    text: says,
    from,
    to: from + found.length,
  });
  const quoted = matchAt(double, text, from) ?? matchAt(single, text, from);
  if (quoted !== null) return token("text", quoted, withoutEscapes(quoted.slice(1, -1)));
  const digits = matchAt(number, text, from);
  if (digits !== null) return token("number", digits);
  const word = matchAt(name, text, from);
  if (word !== null) return withMeaning(token("name", word, spellings.get(word)), meantWord(word));
  const sign = matchAt(signs, text, from);
  if (sign !== null) return withMeaning(token("sign", sign, spellings.get(sign)), mistakes.get(sign));
  const char = String.fromCodePoint(text.codePointAt(from) ?? 0);
  return char === '"' || char === "'" ? token("unclosed-quote", text.slice(from)) : token("unexpected", char);
}

function meantWord(word: string): string | undefined {
  const lower = word.toLowerCase();
  return lower !== word && operatorWords.has(lower) ? lower : undefined;
}

const withMeaning = (token: Token, meant: string | undefined): Token =>
  meant === undefined ? token : { ...token, meant };

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

const escapes = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** Only `\\`, `\'`, `\"`, `\n`, `\r` and `\t` are escapes: every other `\` stands for itself, as patterns want it. */
const withoutEscapes = (text: string): string =>
  text.replaceAll(/\\([nrt"'\\])/g, (_, char: string) => escapes.get(char) ?? char);
