import type * as Y from "yjs";
import { applyChanges } from "../flow/text-change";
import type { TextRange } from "../flow/text-range";
import { readText } from "../live/live-document";
import { deleteRanges } from "../live/written-parts";
import type { SourceDocument } from "../source/read/source-document";
import { readSource } from "../source/read-source";

/**
 * Takes out the commas between which nothing is left, where a collection in braces can no longer be read: one person deleted
 * an entry, and another one appended to it. `previous`: what was read before.
 */
export function mendCommas(doc: Y.Doc, previous: SourceDocument): void {
  const text = readText(doc);
  if (!/[{[,]\s*,/.test(text)) return;
  const document = readSource(text, undefined, previous);
  if (!isUnreadable(document)) return;
  const ranges = listSuperfluousCommas(text);
  const changes = ranges.map((range) => ({ ...range, insert: "" }));
  if (ranges.length > 0 && !isUnreadable(readSource(applyChanges(text, changes), undefined, document)))
    deleteRanges(doc, ranges);
}

const isUnreadable = ({ broken, unreadableRanges }: SourceDocument): boolean => broken || unreadableRanges.length > 0;

/** Commas after a comma or an opening bracket, but for those in quotes and comments. */
function listSuperfluousCommas(text: string): TextRange[] {
  const commas: TextRange[] = [];
  let isAfterBegin = false;
  for (const { 0: token, index } of text.matchAll(
    /"(?:[^"\\]|\\[\s\S])*"|'[^']*'|(?<!\S)#.*|[{[,]|[^\s"'{[,]+|["']/g,
  )) {
    if (token === "," && isAfterBegin) commas.push({ from: index, to: index + 1 });
    if (!token.startsWith("#")) isAfterBegin = /^[{[,]$/.test(token);
  }
  return commas;
}
