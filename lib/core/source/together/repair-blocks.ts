import { isScalar, visit } from "yaml";
import { lineStartAt, splitLines, type TextChange, type TextRange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import type { SourceStructure } from "../read/source-structure";
import { lineAt, looksLikeEntry } from "../read/split-chunks";
import type { JoinRules } from "./join-sections";

type Chunk = NonNullable<SourceStructure["cache"]>["chunks"][number];

/** A literal block as YAML reads it. */
interface Block {
  /** The indentation of its key. */
  column: number;
  /** Of the indentation that it states, relative to its key; empty where it states none. */
  digit: TextRange;
  stated: number;
  bodyStart: number;
  /** Where the line after it begins; lines of the text may follow. */
  end: number;
}

/** A line without its line break. */
interface Row {
  from: number;
  text: string;
  indentation: number;
}

/**
 * Mends literal blocks that cannot be read. A block states its indentation where its first line begins with a space of its own,
 * and lines get their margin back where others wrote between the line break and the margin. Everyone who mends one makes the
 * same change.
 */
export function repairBlocks(
  { text, structure, unreadableRanges }: SourceDocument,
  { isApart }: Pick<JoinRules, "isApart">,
): TextChange[] {
  const chunks = structure.cache?.chunks ?? [];
  const unreadable = unreadableRanges.flatMap(({ type, range }) => (type === "form" ? [range] : []));
  return [...unreadable, ...listEntriesWithoutKey(text)].flatMap((range) => {
    const index = chunks.findLastIndex(({ source }) => source.from <= range.from);
    const [previous, chunk] = [chunks[index - 1], chunks[index]];
    if (!chunk) return [];
    const restored = restoreBelow(text, previous, { range, isApart });
    // What follows a line that begins no entry may be text of a block.
    const isText = previous !== undefined && !looksLikeEntry(lineAt(previous.source.text, 0));
    return restored.length > 0 || isText ? restored : mendFirst(text, chunk, { range, isApart });
  });
}

/** Lines that YAML reads as an entry whose key is empty. Below a block they may be text of it. */
const listEntriesWithoutKey = (text: string): TextRange[] =>
  Array.from(text.matchAll(/^ +:(?=\s)[^\n]*/gm), ({ 0: line, index }) => ({ from: index, to: index + line.length }));

interface UnreadablePlace {
  range: TextRange;
  isApart: JoinRules["isApart"];
}

/** Lines of the last block of a chunk that are unreadable below it. */
function restoreBelow(text: string, chunk: Chunk | undefined, place: UnreadablePlace): TextChange[] {
  const block = listBlocks(text, chunk).at(-1);
  const isNext = block && text.slice(block.end, lineStartAt(text, place.range.from)).trim() === "";
  return isNext ? restoreMargins(text, block, place) : [];
}

/** The first block of an unreadable chunk that has to be mended. What follows it may be its text. */
function mendFirst(text: string, chunk: Chunk, place: UnreadablePlace): TextChange[] {
  for (const block of listBlocks(text, chunk)) {
    const changes = restoreMargins(text, block, place);
    if (changes.length > 0) return changes;
    if (isBroken(text, block, place.range)) return stateIndentation(text, block, place.range);
  }
  return [];
}

function listBlocks(text: string, chunk: Chunk | undefined): Block[] {
  const blocks: Block[] = [];
  if (!chunk) return blocks;
  const { from: offset } = chunk.source;
  visit(chunk.parsed.document.contents, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !key.range || !isScalar(value) || value.type !== "BLOCK_LITERAL" || !value.range) return;
      const [keyStart, start, end] = [key.range[0], value.range[0], value.range[1]].map(
        (position) => position + offset,
      );
      if (keyStart === undefined || start === undefined || end === undefined) return;
      const [head = "", sign = "", digit = ""] =
        /^(\|(?:[-+](?=[1-9]))?)([1-9]?)[^\n]*(?:\n|$)/.exec(text.slice(start)) ?? [];
      const digitStart = start + sign.length;
      blocks.push({
        column: keyStart - lineStartAt(text, keyStart),
        digit: { from: digitStart, to: digitStart + digit.length },
        stated: Number(digit),
        bodyStart: start + head.length,
        end: Math.max(start + head.length, lineStartAt(text, end)),
      });
    },
  });
  return blocks;
}

/** Whether lines of the text follow a block, or an empty line before its first one is too long. */
function isBroken(text: string, block: Block, { to: end }: TextRange): boolean {
  const after = listRows(text, { from: block.end, to: end });
  const outside = after.findIndex((row) => !isInside(row, block));
  if (after.slice(0, outside < 0 ? undefined : outside).some((row) => row.text[row.indentation] !== "#")) return true;
  const [first] = listRows(text, { from: block.bodyStart, to: block.end });
  const empty = text.slice(block.bodyStart, first?.from ?? block.bodyStart).split(/\r?\n/);
  return block.stated === 0 && empty.some(({ length }) => length > (first?.indentation ?? 0));
}

function stateIndentation(text: string, block: Block, { to: end }: TextRange): TextChange[] {
  const rows = listRows(text, { from: block.bodyStart, to: end });
  const outside = rows.findIndex((row) => !isInside(row, block));
  const lines = outside < 0 ? rows : rows.slice(0, outside);
  const digit = Math.min(...lines.map(({ indentation }) => indentation)) - block.column;
  // YAML knows no more than one digit.
  return digit > 9 || digit === block.stated ? [] : [{ ...block.digit, insert: String(digit) }];
}

/** What is unreadable right after the lines of a block may be lines of it. */
function restoreMargins(text: string, block: Block, { range: { to: end }, isApart }: UnreadablePlace): TextChange[] {
  const rows = listRows(text, { from: block.bodyStart, to: text.length });
  const stop = rows.findIndex((row) => !isInside(row, block) && !(row.from >= block.end && isApart(row.from)));
  const lines = stop < 0 ? rows : rows.slice(0, stop);
  const unread = lines.filter((row) => row.from < end);
  const margin = " ".repeat(marginOf(block, unread));
  const changes: TextChange[] = [];
  for (const [index, row] of unread.entries()) {
    if (isInside(row, block)) continue;
    const spaces = findMargin(row, margin, isApart);
    // Where the keys around the block are, someone may be typing one.
    const hasMore = row.indentation < block.column && lines.slice(index).some((line) => isInside(line, block));
    if (spaces === null && !hasMore) break;
    changes.push({ from: row.from, to: row.from, insert: margin });
    if (spaces !== null) changes.push({ from: spaces, to: spaces + margin.length, insert: "" });
  }
  return changes;
}

function marginOf(block: Block, rows: readonly Row[]): number {
  if (block.stated > 0) return block.column + block.stated;
  const inside = rows.flatMap((row) => (isInside(row, block) ? [row.indentation] : []));
  return inside.length > 0 ? Math.min(...inside) : block.column + 2;
}

/** Where the margin of a line is that others wrote before; null: nowhere. */
function findMargin(
  { from: start, text, indentation }: Row,
  margin: string,
  isApart: JoinRules["isApart"],
): number | null {
  for (let index = text.indexOf(margin, indentation); index >= 0; index = text.indexOf(margin, index + 1))
    if (isApart(start + index)) return start + index;
  const length = text.search(/ *$/);
  return text.startsWith(margin, length) && !looksLikeEntry(text) ? start + length : null;
}

const isInside = ({ indentation }: Row, { column }: Block): boolean => indentation > column;

/** The lines that begin in a range and are not empty. A line begins where the range does. */
function listRows(text: string, { from: start, to: end }: TextRange): Row[] {
  const rows: Row[] = [];
  let offset = start;
  for (const line of splitLines(text.slice(start))) {
    if (offset >= end) break;
    const row = line.replace(/\r?\n$/, "");
    const indentation = row.search(/[^ ]|$/);
    if (indentation < row.length) rows.push({ from: offset, text: row, indentation });
    offset += line.length;
  }
  return rows;
}
