import type * as Y from "yjs";
import { findBoundary } from "../flow/find-boundary";
import { applyChanges } from "../flow/text-change";
import { moveRange, type TextChange, type TextRange } from "../flow/text-range";
import { keepLetters } from "../live/deleted-entries";
import { readText } from "../live/live-document";
import { writeSharedText } from "../live/shared-text";
import { listDeclaredNames } from "../live/structure-versions";
import { findLetters, findParts } from "../live/written-parts";
import type { SourceDocument } from "../source/read/source-document";
import { readSource } from "../source/read-source";

/**
 * Takes out commas between which nothing is left, and writes those that are missing, where something was deleted and a collection
 * in braces can no longer be read: one person deleted an entry with its comma, and another one appended to it. `previous`: what was read before.
 */
export function mendCommas(doc: Y.Doc, previous: SourceDocument): void {
  const text = readText(doc);
  const gaps = listGaps(doc);
  const declared = findLetters(
    doc,
    listDeclaredNames(doc).map(({ key }) => key),
  );
  const names = new Set(declared.values());
  const changes = listCommaChanges(text, {
    isGap: (range) => isGap(gaps, range),
    isNew: (offset) => names.has(offset),
  });
  // Reading takes longer.
  if (changes.length === 0) return;
  const document = readSource(text, undefined, previous);
  if (!isUnreadable(document) || isUnreadable(readSource(applyChanges(text, changes), undefined, document))) return;
  writeSharedText(doc, changes);
  // It may be in the place of a deleted entry, and is no part of it.
  keepLetters(
    doc,
    listInserted(changes).flatMap((range) => findParts(doc, range)),
  );
}

/** How many letters beside each other were at least deleted where something in braces was: fewer are corrections of typing. */
const minDeleted = 3;

/** The offsets of the text at which something was deleted. */
function listGaps(doc: Y.Doc): number[] {
  const gaps: number[] = [];
  let [offset, deleted] = [0, 0];
  for (let item = doc.getText("source")._start; item; item = item.right) {
    if (item.deleted) deleted += item.length;
    else if (item.countable) {
      if (deleted >= minDeleted) gaps.push(offset);
      deleted = 0;
      offset += item.length;
    }
  }
  return deleted >= minDeleted ? [...gaps, offset] : gaps;
}

/** Whether something was deleted between two offsets. */
function isGap(gaps: readonly number[], { from: start, to: end }: TextRange): boolean {
  const gap = gaps[findBoundary(gaps.length, (index) => (gaps[index] ?? start) >= start)];
  return gap !== undefined && gap <= end;
}

/** Where what is inserted is in the text that changes lead to. */
function listInserted(changes: readonly TextChange[]): TextRange[] {
  let shift = 0;
  return changes.flatMap(({ from: start, to: end, insert }) => {
    const range = moveRange({ from: start, to: start + insert.length }, shift);
    shift += insert.length - (end - start);
    return insert === "" ? [] : [range];
  });
}

const isUnreadable = ({ broken, unreadableRanges }: SourceDocument): boolean => broken || unreadableRanges.length > 0;

/** Quotes, comments, single signs, and everything else. */
const tokens = /["']|(?<!\S)#.*|[{}[\],:]|[^\s"'{}[\],:]+/g;

interface Token {
  token: string;
  index: number;
}

/** Texts in quotes are one token. A quote that nothing closes is looked for once: the text may have any number of them. */
function* listTokens(text: string): Generator<Token> {
  const unclosed = new Set<string>();
  let end = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (index < end) continue;
    const closed = /["']/.test(token) && !unclosed.has(token) ? findClosed(text, index) : null;
    if (closed === -1) unclosed.add(token);
    end = closed !== null && closed > 0 ? closed : index + token.length;
    yield { token: text.slice(index, end), index };
  }
}

/** The offset after the quote that closes the one at an offset; -1: none does. */
function findClosed(text: string, start: number): number {
  const quote = text[start] ?? "";
  for (let place = start + 1; place < text.length; place++) {
    if (quote === '"' && text[place] === "\\") place++;
    else if (text[place] === quote) return place + 1;
  }
  return -1;
}

interface CommaPlaces {
  /** Whether something was deleted in a range. */
  isGap(range: TextRange): boolean;
  /** Whether an entry that someone added begins at an offset. */
  isNew(offset: number): boolean;
}

/**
 * Inside of values that begin with a bracket: elsewhere brackets and commas are a user's words. Where nothing was
 * deleted, and no one added an entry, someone is typing.
 */
function listCommaChanges(text: string, { isGap, isNew }: CommaPlaces): TextChange[] {
  const changes: TextChange[] = [];
  let depth = 0;
  let before = { token: "", end: 0 };
  let comma: TextRange | null = null;
  for (const { token, index } of listTokens(text)) {
    // What was deleted may have been before the comma, or after it.
    if (comma && isGap({ from: comma.from, to: index })) changes.push({ from: comma.to - 1, to: comma.to, insert: "" });
    comma = null;
    if (token.startsWith("#")) continue;
    if (depth > 0 && token === "," && /^[{[,]$/.test(before.token)) comma = { from: before.end, to: index + 1 };
    const isMissing = depth > 0 && /^[}\]]$/.test(before.token) && !/^[}\],:]$/.test(token);
    if (isMissing && (isNew(index) || isGap({ from: before.end, to: index })))
      changes.push({ from: index, to: index, insert: ", " });
    if (/^[{[]$/.test(token) && (depth > 0 || isValue(text, index))) depth++;
    if (/^[}\]]$/.test(token) && depth > 0) depth--;
    before = { token, end: index + token.length };
  }
  return changes;
}

/** Whether a value begins at an offset: its key, or the dash of a list, is all that is before it in its line. */
const isValue = (text: string, offset: number): boolean =>
  /^[ \t]*(?:- +)*(?:[^\s:#][^:#]*:[ \t]+)?$/.test(text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset));
