import type { Range } from "../flow/text-range";

/** What a DSL text is made of. `wrong-arrow`: every other way of pointing, such as `->`, `>`, `>>>`, `,`, `→`, `=>`, `|>`. */
export type TokenType = "name" | "arrow" | "wrong-arrow" | "pipe" | "open" | "close" | "unclosed-quote" | "end";

export interface Token extends Range {
  type: TokenType;
  /** For names (quoted or not): the name as the author means it, trimmed. Else the text itself. */
  text: string;
}

/** Splits a DSL text into tokens; never throws; ends with one `end` token. Linear in the length of the text. */
export function lex(text: string): Token[] {
  const tokens: Token[] = [];
  let quotesClose = true;
  for (let at = skipBlank(text, 0); at < text.length; at = skipBlank(text, at)) {
    const token = readToken(text, at, quotesClose);
    // Every quote behind an unclosed one is escaped, or that one would be closed: none of them closes either.
    if (token.type === "unclosed-quote") quotesClose = false;
    tokens.push(token);
    at = token.to;
  }
  tokens.push({ type: "end", text: "", from: text.length, to: text.length });
  return tokens;
}

/** White space by Unicode, U+FEFF and control characters (U+0085, U+001C …); a zero-width space is part of a name. */
export function isSpace(char: string | undefined): boolean {
  if (char === undefined) return false;
  const code = char.charCodeAt(0);
  if (code <= 0x20 || (code >= 0x7f && code <= 0xa0)) return true;
  return code > 0xff && /\s/.test(char);
}

function trimSpace(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text[from])) from++;
  while (to > from && isSpace(text[to - 1])) to--;
  return text.slice(from, to);
}

const isLineEnd = (char: string | undefined): boolean => char === "\n" || char === "\r";

/** Where the next token begins: behind white space and comments. */
function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < text.length && isSpace(text[at])) at++;
    if (!beginsComment(text, at)) return at;
    while (at < text.length && !isLineEnd(text[at])) at++;
  }
}

const beginsComment = (text: string, at: number): boolean => text[at] === "#" && (at === 0 || isSpace(text[at - 1]));

const signs = new Map<string, TokenType>([
  ["(", "open"],
  [")", "close"],
  [",", "wrong-arrow"],
  ["→", "wrong-arrow"],
]);

function readToken(text: string, from: number, quotesClose: boolean): Token {
  const char = text[from] ?? "";
  const sign = signs.get(char);
  if (sign) return { type: sign, text: char, from, to: from + 1 };
  if (char === '"') return (quotesClose ? readQuoted(text, from) : null) ?? readUnclosed(text, from);
  return (
    readArrow(text, from) ?? (char === "|" ? { type: "pipe", text: "|", from, to: from + 1 } : readBare(text, from))
  );
}

/** `>>` is the arrow, `>>>>` two with nothing between them; every other way of pointing is a mistake with a fix. */
function readArrow(text: string, from: number): Token | null {
  const shaft = text[from] === "|" ? from + 1 : endOfRun(text, from, "-=");
  const to = endOfRun(text, shaft, ">");
  const heads = to - shaft;
  if (heads === 0 || (text[from] === "|" && heads > 1)) return null;
  if (shaft === from && (heads === 2 || heads === 4)) return { type: "arrow", text: ">>", from, to: from + 2 };
  return { type: "wrong-arrow", text: text.slice(from, to), from, to };
}

function endOfRun(text: string, from: number, chars: string): number {
  let to = from;
  while (to < text.length && chars.includes(text[to] ?? "")) to++;
  return to;
}

const nameStops = new Set([">", "|", "(", ")", ",", '"', "→", "\n", "\r"]);

/** A run of characters up to a stop, the end of the line, a comment or an arrow; trimmed at the end. */
function readBare(text: string, from: number): Token {
  let end = from;
  for (let at = from; at < text.length && !nameStops.has(text[at] ?? "") && !beginsComment(text, at); ) {
    const char = text[at] ?? "";
    if (char === "-" || char === "=") {
      const run = endOfRun(text, at, "-=");
      if (isShaft(text, at, run)) break;
      at = run;
      end = run;
    } else {
      at++;
      if (!isSpace(char)) end = at;
    }
  }
  return { type: "name", text: text.slice(from, end), from, to: end };
}

/** Whether the `-` and `=` in `[from, to)` begin an arrow: `a->b` and `a ->> b` do, `x->>y` holds the name `x-`. */
function isShaft(text: string, from: number, to: number): boolean {
  return text[to] === ">" && (text[to + 1] !== ">" || isSpace(text[from - 1]));
}

/** `"…"` with `\"` and `\\`; everything else stands for itself. Null when it is not closed. */
function readQuoted(text: string, from: number): Token | null {
  let name = "";
  let copied = from + 1;
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '"') return { type: "name", text: trimSpace(name + text.slice(copied, at)), from, to: at + 1 };
    if (!isEscape(text, at)) continue;
    name += text.slice(copied, at);
    copied = ++at;
  }
  return null;
}

const isEscape = (text: string, at: number): boolean =>
  text[at] === "\\" && (text[at + 1] === '"' || text[at + 1] === "\\");

/** A quote that is never closed is taken to hold what a bare name would, so that the rest is still read. */
function readUnclosed(text: string, from: number): Token {
  let at = from + 1;
  let end = at;
  while (at < text.length && (isEscape(text, at) || !nameStops.has(text[at] ?? "")) && !beginsComment(text, at)) {
    const step = isEscape(text, at) ? 2 : 1;
    if (!isSpace(text[at])) end = at + step;
    at += step;
  }
  return { type: "unclosed-quote", text: text.slice(from + 1, end), from, to: end };
}
