import type { Scalar } from "yaml";
import { eolOf, type TextChange, type TextRange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import { colonEndOf } from "../yaml/pair-position";
import { scalarOffsets } from "../yaml/scalar-offsets";
import { readText } from "../yaml/yaml-nodes";
import { type LiteralLines, readLiteral, textOfLiteral } from "./literal-lines";
import type { FieldSite } from "./text-site";

/** A text in which a letter that is typed is a letter of the file, wherever it is typed. */
export type SharedText = { type: "literal"; literal: LiteralLines } | { type: "quoted"; node: Scalar };

/** Null: the text is in another style, e.g. without quotes, where some letters mean something else. */
export function readSharedText({ text }: Pick<SourceDocument, "text">, site: FieldSite): SharedText | null {
  const { node, type, column } = site;
  if (!node?.range || type === "value") return null;
  const [start, end] = node.range;
  if (node.type === "BLOCK_LITERAL") {
    const literal = readLiteral(text, start, column);
    const isWhole =
      literal && literal.lines.length > 0 && literal.lines.every((line) => isAfterMargin(text, line, literal));
    return isWhole ? { type: "literal", literal } : null;
  }
  const canHold = node.type === "QUOTE_DOUBLE" || (node.type === "QUOTE_SINGLE" && type === "line");
  return canHold && !text.slice(start, end).includes("\n") && scalarOffsets(text, node)
    ? { type: "quoted", node }
    : null;
}

const isAfterMargin = (text: string, { from: start }: TextRange, { margin }: LiteralLines): boolean =>
  text.slice(start - margin, start).trim() === "" && text[start - margin - 1] === "\n";

export const textOf = ({ text }: Pick<SourceDocument, "text">, shared: SharedText): string =>
  shared.type === "quoted" ? String(shared.node.value) : textOfLiteral(text, shared.literal);

/** How each part of a value is written. */
interface Spelling {
  open: string;
  /** A character, or a pair of surrogates. */
  letter(character: string): string;
  close: string;
}

/**
 * The changes that give the text of a site a shared style; letters that both styles write alike stay in place. `hasBreaks`:
 * whether a text on one line has to hold line breaks.
 */
export function toSharedStyle(
  { text }: Pick<SourceDocument, "text">,
  site: FieldSite,
  hasBreaks = false,
): TextChange[] {
  const { node, entry, inFlow, type } = site;
  const eol = eolOf(text);
  const colon = colonEndOf(entry.pair, text);
  if (colon === null) return [];
  const [start = colon, valueEnd = colon] = node?.range ?? [];
  const value = readText(node) ?? "";
  if (node?.type === "BLOCK_LITERAL") {
    const whole = completeMargins(text, readLiteral(text, start, site.column));
    if (whole) return whole;
  }
  const isBlock = node?.type === "BLOCK_LITERAL" || node?.type === "BLOCK_FOLDED";
  const end = isBlock ? endOfBlock(text, valueEnd) : valueEnd;
  const comment = isBlock ? "" : (/^[ \t]+#[^\r\n]*/.exec(text.slice(end))?.[0] ?? "");
  const isLines = type === "lines" && !inFlow;
  const isSingle = type === "line" && value.includes('"') && !hasBreaks && !hasLineBreak(value);
  const spelling = isLines ? toLiteral(value, site, { eol, comment }) : toQuoted(isSingle);
  const range = { from: start, to: isLines ? end + comment.length : end };
  const lead = start === colon && text[start - 1] === ":" ? " " : "";
  return respell(text, node, { value, range }, { ...spelling, open: lead + spelling.open });
}

/** Without the line break that ends the last line. */
const endOfBlock = (text: string, end: number): number =>
  end - (/(?:\r?\n[ \t]*)*$/.exec(text.slice(0, end))?.[0].length ?? 0);

/** The margins that empty lines of a block lack; null: it needs more than that. */
function completeMargins(text: string, literal: LiteralLines | null): TextChange[] | null {
  if (!literal || literal.lines.length === 0) return null;
  return literal.lines.flatMap((line) =>
    isAfterMargin(text, line, literal) ? [] : [{ ...line, insert: " ".repeat(literal.margin) }],
  );
}

function toLiteral(value: string, { column }: FieldSite, { eol, comment }: { eol: string; comment: string }): Spelling {
  const margin = eol + " ".repeat(column + 2);
  const digit = needsDigit(value) ? "2" : "";
  return {
    open: `|${digit}-${comment}${margin}`,
    letter: (character) => (character === "\n" ? margin : character),
    close: "",
  };
}

/** Whether a block must state how far it is indented, because its first line begins with a space of its own. */
export const needsDigit = (value: string): boolean => /^\n*[ \t]/.test(value);

/** Whether single quotes cannot hold a text: in the file, a line break in them is a space. */
export const hasLineBreak = (value: string): boolean => /[\r\n]/.test(value);

function toQuoted(isSingle: boolean): Spelling {
  return isSingle
    ? { open: "'", letter: (character) => character.replace("'", "''"), close: "'" }
    : { open: '"', letter: (character) => JSON.stringify(character).slice(1, -1), close: '"' };
}

interface WrittenValue {
  value: string;
  range: TextRange;
}

/** The changes from one spelling of a value to another, letter by letter. */
function respell(text: string, node: Scalar | null, { value, range }: WrittenValue, spelling: Spelling): TextChange[] {
  const offsets = node && scalarOffsets(text, node);
  if (!offsets || value === "") {
    const letters = Array.from(value, spelling.letter).join("");
    return [{ ...range, insert: spelling.open + letters + spelling.close }];
  }
  const changes: TextChange[] = [];
  let [position, index, insert] = [range.from, 0, spelling.open];
  const changeTo = (to: number): void => {
    if (text.slice(position, to) !== insert) changes.push({ from: position, to, insert });
    [position, insert] = [to, ""];
  };
  for (const character of value) {
    const letter = offsets.toRange({ from: index, to: index + character.length });
    index += character.length;
    const written = spelling.letter(character);
    if (text.slice(letter.from, letter.to) !== written) {
      insert += written;
      continue;
    }
    changeTo(letter.from);
    position = letter.to;
  }
  insert += spelling.close;
  changeTo(range.to);
  return changes;
}
