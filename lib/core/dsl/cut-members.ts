import type { TextRange } from "../flow/text-range";
import { type DslToken, lexDsl } from "./lexer";

/** Where a flow text writes some of its members, and their text with the comments in it. */
interface CutMembers {
  range: TextRange;
  text: string;
}

/**
 * Finds the part of a flow text that writes `names` and nothing else: with parentheses that hold only them, and with the
 * comment beside the last one. Null: other members are between them, or they share parentheses with others.
 */
export function cutMembers(text: string, names: ReadonlySet<string>): CutMembers | null {
  const tokens = lexDsl(text);
  const isChosen = ({ type, text: name }: DslToken): boolean => type === "name" && names.has(name);
  let [first, last] = [tokens.findIndex(isChosen), tokens.findLastIndex(isChosen)];
  const chosen = tokens.slice(first, last + 1);
  if (first < 0 || chosen.some((token) => token.type === "name" && !isChosen(token))) return null;
  const { unopened, unclosed } = countUnpaired(chosen);
  first -= unopened;
  last += unclosed;
  if (tokens.slice(first, first + unopened).some(({ type }) => type !== "open")) return null;
  if (tokens.slice(last + 1 - unclosed, last + 1).some(({ type }) => type !== "close")) return null;
  while (tokens[first - 1]?.type === "open" && tokens[last + 1]?.type === "close") {
    first--;
    last++;
  }
  const [from, end] = [tokens[first]?.from ?? 0, tokens[last]?.to ?? 0];
  const comment = /^[ \t]+#[^\r\n]*/.exec(text.slice(end))?.[0] ?? "";
  const range = { from, to: end + comment.length };
  return { range, text: dedent(text.slice(range.from, range.to), columnOf(text, from)) };
}

function countUnpaired(tokens: readonly DslToken[]): { unopened: number; unclosed: number } {
  let [unopened, unclosed] = [0, 0];
  for (const { type } of tokens) {
    if (type === "open") unclosed++;
    else if (type === "close" && unclosed > 0) unclosed--;
    else if (type === "close") unopened++;
  }
  return { unopened, unclosed };
}

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf("\n", offset - 1) + 1);

/** The text with the lines after the first one indented by up to `column` spaces less. */
function dedent(text: string, column: number): string {
  const [first = "", ...others] = text.split("\n");
  const indents = others.filter((line) => line.trim() !== "").map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const removed = Math.min(column, ...indents);
  return [first, ...others.map((line) => line.slice(Math.min(removed, /^ */.exec(line)?.[0].length ?? 0)))].join("\n");
}
