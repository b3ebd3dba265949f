import type { TextRange } from "../flow/text-range";

/** What a DSL text is made of. `wrong-arrow`: every other way of pointing, such as `->`, `>`, `>>>`, `,`, `→`, `=>`, `|>`. */
export type DslTokenType = "name" | "arrow" | "wrong-arrow" | "pipe" | "open" | "close" | "unclosed-quote" | "end";

export interface DslToken extends TextRange {
  type: DslTokenType;
  /** For names (quoted or not): the name as the author means it, trimmed. Else the text itself. */
  text: string;
}

/** Splits a DSL text into tokens; never throws; ends with one `end` token. Linear in the length of the text. */
export function lexDsl(text: string): DslToken[] {
  const tokens: DslToken[] = [];
  let quotesClose = true;
  for (let offset = skipBlank(text, 0); offset < text.length; offset = skipBlank(text, offset)) {
    const token = readIncompleteArrow(text, offset, tokens.at(-1)) ?? readToken(text, offset, quotesClose);
    // Every quote after an unclosed one is escaped, or it would close that one: none of them can be closed either.
    if (token.type === "unclosed-quote") quotesClose = false;
    tokens.push(token);
    offset = token.to;
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
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text[start])) start++;
  while (end > start && isSpace(text[end - 1])) end--;
  return text.slice(start, end);
}

const isLineEnd = (char: string | undefined): boolean => char === "\n" || char === "\r";

/** Where the next token begins: after white space and comments. */
function skipBlank(text: string, start: number): number {
  let offset = start;
  for (;;) {
    while (offset < text.length && isSpace(text[offset])) offset++;
    if (!beginsComment(text, offset)) return offset;
    while (offset < text.length && !isLineEnd(text[offset])) offset++;
  }
}

const beginsComment = (text: string, offset: number): boolean =>
  text[offset] === "#" && (offset === 0 || isSpace(text[offset - 1]));

const signs = new Map<string, DslTokenType>([
  ["(", "open"],
  [")", "close"],
  [",", "wrong-arrow"],
  ["→", "wrong-arrow"],
]);

function readToken(text: string, start: number, quotesClose: boolean): DslToken {
  const char = text[start] ?? "";
  const sign = signs.get(char);
  if (sign) return { type: sign, text: char, from: start, to: start + 1 };
  if (char === '"') return (quotesClose ? readQuoted(text, start) : null) ?? readUnclosed(text, start);
  return (
    readArrow(text, start) ??
    (char === "|" ? { type: "pipe", text: "|", from: start, to: start + 1 } : readBare(text, start))
  );
}

/** `>>` is the arrow, `>>>>` two with nothing between them; every other way of pointing is a mistake with a fix. */
function readArrow(text: string, start: number): DslToken | null {
  const shaft = text[start] === "|" ? start + 1 : endOfRun(text, start, "-=");
  const end = endOfRun(text, shaft, ">");
  const heads = end - shaft;
  if (heads === 0 || (text[start] === "|" && heads > 1)) return null;
  if (shaft === start && (heads === 2 || heads === 4)) return { type: "arrow", text: ">>", from: start, to: start + 2 };
  return { type: "wrong-arrow", text: text.slice(start, end), from: start, to: end };
}

function endOfRun(text: string, start: number, chars: string): number {
  let end = start;
  while (end < text.length && chars.includes(text[end] ?? "")) end++;
  return end;
}

const nameStops = new Set([">", "|", "(", ")", ",", '"', "→", "\n", "\r"]);

/** A run of characters up to a stop, the end of the line, a comment or an arrow; trimmed at the end. */
function readBare(text: string, start: number): DslToken {
  let end = start;
  for (
    let offset = start;
    offset < text.length && !nameStops.has(text[offset] ?? "") && !beginsComment(text, offset);
  ) {
    const char = text[offset] ?? "";
    if (char === "-" || char === "=") {
      const run = endOfRun(text, offset, "-=");
      if (isShaft(text, offset, run) || (offset > start && isLooseShaft(text, offset, run))) break;
      offset = run;
      end = run;
    } else {
      offset++;
      if (!isSpace(char)) end = offset;
    }
  }
  return { type: "name", text: text.slice(start, end), from: start, to: end };
}

/** Whether the `-` and `=` in `[from, to)` begin an arrow: `a->b` and `a ->> b` do, `x->>y` holds the name `x-`. */
function isShaft(text: string, start: number, end: number): boolean {
  return text[end] === ">" && (text[end + 1] !== ">" || isSpace(text[start - 1]));
}

/** An arrow without its head, while it is being written: the `-` in `a -`. */
function readIncompleteArrow(text: string, start: number, before: DslToken | undefined): DslToken | null {
  const end = endOfRun(text, start, "-=");
  if (end === start || !before || !operandEnds.has(before.type) || !isLooseShaft(text, start, end)) return null;
  return { type: "wrong-arrow", text: text.slice(start, end), from: start, to: end };
}

const operandEnds: ReadonlySet<DslTokenType> = new Set(["name", "close", "unclosed-quote"]);

/** Whether nothing but an operator follows the `-` and `=` in `[from, to)`, and white space is before them. */
function isLooseShaft(text: string, start: number, end: number): boolean {
  if (!isSpace(text[start - 1])) return false;
  let next = end;
  while (isSpace(text[next]) && !isLineEnd(text[next])) next++;
  return next >= text.length || (next > end ? nameStops.has(text[next] ?? "") : isBarrier(text[next]));
}

/** A stop that no arrow contains. */
const isBarrier = (char: string | undefined): boolean => char !== ">" && nameStops.has(char ?? "");

/** `"…"` with `\"` and `\\`; everything else is literal. Null when it is not closed. */
function readQuoted(text: string, start: number): DslToken | null {
  let name = "";
  let copied = start + 1;
  for (let offset = start + 1; offset < text.length; offset++) {
    if (text[offset] === '"')
      return { type: "name", text: trimSpace(name + text.slice(copied, offset)), from: start, to: offset + 1 };
    if (!isEscape(text, offset)) continue;
    name += text.slice(copied, offset);
    copied = ++offset;
  }
  return null;
}

const isEscape = (text: string, offset: number): boolean =>
  text[offset] === "\\" && (text[offset + 1] === '"' || text[offset + 1] === "\\");

/** A quote that is never closed is taken to hold what a bare name would, so that the rest is still read. */
function readUnclosed(text: string, start: number): DslToken {
  let offset = start + 1;
  let end = offset;
  while (
    offset < text.length &&
    (isEscape(text, offset) || !nameStops.has(text[offset] ?? "")) &&
    !beginsComment(text, offset)
  ) {
    const step = isEscape(text, offset) ? 2 : 1;
    if (!isSpace(text[offset])) end = offset + step;
    offset += step;
  }
  return { type: "unclosed-quote", text: text.slice(start + 1, end), from: start, to: end };
}
