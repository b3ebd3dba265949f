import type { Range } from "../flow/text";

/** What a DSL text is made of. `wrong-arrow`: `->`, `>`, `>>>`, `,`, `→`, `=>` and the like. */
export type TokenType = "name" | "arrow" | "wrong-arrow" | "pipe" | "open" | "close" | "unclosed-quote" | "end";

export interface Token extends Range {
  type: TokenType;
  /** For names (quoted or not): the name as the author means it. Else the text itself. */
  text: string;
}

/** White space by Unicode, U+FEFF and control characters (U+0085, U+001C …); a zero-width space is part of a name. */
const space = /[\s\p{Cc}]/u;
const isSpace = (char: string | undefined): boolean => char !== undefined && space.test(char);

const stops = new Set([">", "|", "(", ")", ",", '"', "→"]);

/** Splits a DSL text into tokens; never throws; ends with one `end` token. Linear in the length of the text. */
export function lex(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at];
    if (isSpace(char)) at++;
    else if (char === "#" && (at === 0 || isSpace(text[at - 1]))) at = lineEnd(text, at);
    else {
      const token = readToken(text, at);
      tokens.push(token);
      at = token.to;
    }
  }
  tokens.push({ type: "end", text: "", from: text.length, to: text.length });
  return tokens;
}

function lineEnd(text: string, from: number): number {
  const end = text.slice(from).search(/[\r\n]/);
  return end < 0 ? text.length : from + end;
}

function readToken(text: string, from: number): Token {
  const char = text[from];
  if (char === "(") return { type: "open", text: "(", from, to: from + 1 };
  if (char === ")") return { type: "close", text: ")", from, to: from + 1 };
  if (char === "|") return { type: "pipe", text: "|", from, to: from + 1 };
  if (char === '"') return readQuoted(text, from);
  return readArrow(text, from) ?? readName(text, from);
}

/** `>>` is the arrow; `>>>>` is two with nothing between; every other way of pointing is a mistake with a fix. */
function readArrow(text: string, from: number): Token | null {
  const found = /^(?:>+|[-=]+>(?!>)|→|,)/.exec(text.slice(from, from + 64))?.[0];
  if (found === undefined) return null;
  if (found === ">>" || found === ">>>>") return { type: "arrow", text: ">>", from, to: from + 2 };
  return { type: "wrong-arrow", text: found, from, to: from + found.length };
}

/** A run of characters up to a stop, a comment or a `->`; trimmed at the end. */
function readName(text: string, from: number): Token {
  let to = from;
  let end = from;
  while (to < text.length && !stops.has(text[to] ?? "")) {
    const char = text[to] ?? "";
    if (char === "#" && isSpace(text[to - 1])) break;
    if ((char === "-" || char === "=") && /^[-=]+>(?!>)/.test(text.slice(to, to + 64))) break;
    to++;
    if (!isSpace(char)) end = to;
  }
  return { type: "name", text: text.slice(from, end), from, to: end };
}

/** `"…"` with `\"` and `\\`; everything else stands for itself. */
function readQuoted(text: string, from: number): Token {
  let name = "";
  for (let at = from + 1; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === '"') return { type: "name", text: name, from, to: at + 1 };
    const next = text[at + 1];
    if (char === "\\" && (next === '"' || next === "\\")) {
      name += next;
      at++;
    } else name += char;
  }
  return { type: "unclosed-quote", text: name, from, to: text.length };
}
