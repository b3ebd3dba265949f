import type { TextRange } from "../flow/text-range";

type ConditionTokenType = "name" | "number" | "text" | "sign" | "unclosed-quote" | "unexpected" | "end";

export interface ConditionToken extends TextRange {
  type: ConditionTokenType;
  /** For text: its value. For names and signs: the one spelling that the parser knows (`or` for `||`). */
  text: string;
  /** What was most likely meant, for `=`, `AND` and the like, which mean nothing here. */
  meant?: string;
}

const signs = /===|!==|==|!=|<>|=>|=<|<=|>=|&&|\|\||[=&|<>!+\-*/%()[\]?:,.≠≤≥]/y;
const spellings = new Map(
  Object.entries({
    "===": "==",
    "!==": "!=",
    "&&": "and",
    "||": "or",
    "!": "not",
    True: "true",
    False: "false",
    None: "null",
  }),
);
const mistakes = new Map(
  Object.entries({
    "=": "==",
    "<>": "!=",
    "≠": "!=",
    "=>": ">=",
    "≥": ">=",
    "=<": "<=",
    "≤": "<=",
    "&": "and",
    "|": "or",
  }),
);
/** Operators that are written as words. */
export const operatorWords: ReadonlySet<string> = new Set(["and", "or", "not", "in"]);

const blank = /[\s\p{Cc}]*/uy;
const number = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const name = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;
const double = /"(?:[^"\\]|\\.)*"/sy;
const single = /'(?:[^'\\]|\\.)*'/sy;

/** Splits a condition into tokens; never throws; ends with one `end` token. An unclosed quote holds all that follows. */
export function lexCondition(text: string): ConditionToken[] {
  const tokens: ConditionToken[] = [];
  for (let offset = skipBlank(text, 0); offset < text.length; ) {
    const token = readToken(text, offset);
    tokens.push(token);
    offset = skipBlank(text, token.to);
  }
  tokens.push({ type: "end", text: "the end", from: text.length, to: text.length });
  return tokens;
}

const skipBlank = (text: string, start: number): number => start + (matchAt(blank, text, start)?.length ?? 0);

function readToken(text: string, start: number): ConditionToken {
  const token = (type: ConditionTokenType, sourceText: string, tokenText = sourceText): ConditionToken => ({
    type,
    text: tokenText,
    from: start,
    to: start + sourceText.length,
  });
  const quoted = matchAt(double, text, start) ?? matchAt(single, text, start);
  if (quoted !== null) return token("text", quoted, withoutEscapes(quoted.slice(1, -1)));
  const digits = matchAt(number, text, start);
  if (digits !== null) return token("number", digits);
  const word = matchAt(name, text, start);
  if (word !== null) return withMeaning(token("name", word, spellings.get(word)), meantWord(word));
  const sign = matchAt(signs, text, start);
  if (sign !== null) return withMeaning(token("sign", sign, spellings.get(sign)), mistakes.get(sign));
  const char = String.fromCodePoint(text.codePointAt(start) ?? 0);
  return char === '"' || char === "'" ? token("unclosed-quote", text.slice(start)) : token("unexpected", char);
}

function meantWord(word: string): string | undefined {
  const lower = word.toLowerCase();
  return lower !== word && operatorWords.has(lower) ? lower : undefined;
}

const withMeaning = (token: ConditionToken, meant: string | undefined): ConditionToken =>
  meant === undefined ? token : { ...token, meant };

function matchAt(pattern: RegExp, text: string, offset: number): string | null {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0] ?? null;
}

const escapes = new Map(Object.entries({ n: "\n", r: "\r", t: "\t" }));

/** Only `\\`, `\'`, `\"`, `\n`, `\r` and `\t` are escapes: every other `\` is literal, because patterns need it. */
const withoutEscapes = (text: string): string =>
  text.replaceAll(/\\([nrt"'\\])/g, (_, char: string) => escapes.get(char) ?? char);
