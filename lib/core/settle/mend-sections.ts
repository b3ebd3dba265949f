import type * as Y from "yjs";
import { applyChanges } from "../flow/text-change";
import type { TextChange, TextRange } from "../flow/text-range";
import { keepLetters } from "../live/deleted-entries";
import { readText } from "../live/live-document";
import { writeSharedText } from "../live/shared-text";
import { deleteRanges, findParts } from "../live/written-parts";
import { declaringSections, topSections } from "../source/read/sections";
import type { SourceDocument } from "../source/read/source-document";
import { readSource } from "../source/read-source";

/**
 * Writes anew what is between the entries of a section that can no longer be read: line ends, commas and braces, and nothing else.
 * One person wrote an entry in braces that another one made lines of, or behind what someone deleted. `previous`: what was read
 * before; what could not be read then is being typed.
 */
export function mendSections(doc: Y.Doc, previous: SourceDocument): void {
  if (isUnreadable(previous)) return;
  const text = readText(doc);
  const document = readSource(text, undefined, previous);
  if (!isUnreadable(document)) return;
  const heads = listGluedHeads(text);
  const changes = [...heads, ...listSections(text, heads).flatMap((section) => listGaps(text, section, heads) ?? [])];
  if (changes.length === 0 || isUnreadable(readSource(applyChanges(text, changes), undefined, document))) return;
  for (const change of changes.toSorted((a, b) => b.from - a.from)) writeGap(doc, change);
}

/** What is between two entries is in the place of a deleted one, and is no part of it. */
function writeGap(doc: Y.Doc, { from: start, to: end, insert }: TextChange): void {
  if (end > start) deleteRanges(doc, [{ from: start, to: end }]);
  writeSharedText(doc, [{ from: start, to: start, insert }]);
  keepLetters(doc, findParts(doc, { from: start, to: start + insert.length }));
}

const isUnreadable = ({ broken, unreadableRanges }: SourceDocument): boolean => broken || unreadableRanges.length > 0;

const eolOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

/** Line ends before the heads of sections that stand behind something else. */
function listGluedHeads(text: string): TextChange[] {
  const head = new RegExp(`(?<=[^\\s{,])(?:${declaringSections().join("|")}|swarm):(?=[ \\t]*(?:[\\r\\n{]|$))`, "g");
  return Array.from(text.matchAll(head), ({ index }) => ({ from: index, to: index, insert: eolOf(text) }));
}

/** What is behind the head of each section that contains declarations and cannot be read, up to the next one. */
function listSections(text: string, heads: readonly TextChange[]): TextRange[] {
  const top = new RegExp(`^(?:${topSections().join("|")}):`, "gm");
  const glued = heads.map(({ from: start }) => ({ start, length: text.indexOf(":", start) + 1 - start }));
  const begun = Array.from(text.matchAll(top), ({ 0: head, index }) => ({ start: index, length: head.length }));
  const all = [...begun, ...glued].toSorted((a, b) => a.start - b.start);
  const names = new Set(declaringSections());
  return all.flatMap(({ start, length }, index) => {
    const isDeclaring = names.has(text.slice(start, start + length - 1));
    const end = all[index + 1]?.start ?? text.length;
    const isMended = isDeclaring && isUnreadable(readSource(text.slice(start, end)));
    return isMended ? [{ from: start + length, to: end }] : [];
  });
}

/** The changes that put each entry of a section into lines of its own; null: something is none. */
function listGaps(text: string, section: TextRange, heads: readonly TextChange[]): TextChange[] | null {
  const eol = eolOf(text);
  const entries = listEntries(text, section);
  if (!entries || entries.length === 0) return null;
  const changes: TextChange[] = [];
  let end = section.from;
  for (const entry of entries) {
    changes.push({ from: end, to: entry.from, insert: `${eol}  ` });
    end = entry.to;
  }
  // The end of the last line may be the one before a head that stands behind it.
  const isGlued = heads.some((head) => head.from === section.to);
  if (isGlued ? end < section.to : text.slice(end, section.to) !== eol)
    changes.push({ from: end, to: section.to, insert: isGlued || section.to === text.length ? "" : eol });
  return changes.filter(({ from: start, to: stop, insert }) => text.slice(start, stop) !== insert);
}

const key = /(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s:,{}[\]#"']+(?: [^\s:,{}[\]#"']+)*)[ \t]*:(?=\s)/y;

/** The entries of a section, each from its name to the end of its value; null: something between them is no comma, brace or space. */
function listEntries(text: string, { from: start, to: end }: TextRange): TextRange[] | null {
  const entries: TextRange[] = [];
  for (let place = start; ; ) {
    while (place < end && /[\s,{}]/.test(text[place] ?? "")) place++;
    if (place >= end) return entries;
    key.lastIndex = place;
    const name = key.exec(text);
    if (!name) return null;
    const to = findEnd(text, { from: place + name[0].length, to: end });
    if (to === null) return null;
    entries.push({ from: place, to });
    place = to;
  }
}

/** Where the value of an entry ends: at its bracket, or with its lines, which are indented more than a name. */
function findEnd(text: string, { from: start, to: end }: TextRange): number | null {
  const value = start + text.slice(start, end).search(/[^ \t]|$/);
  if (/^[{[]$/.test(text[value] ?? "")) return findBracket(text, { from: value, to: end });
  const [lines = ""] = /^[^\n]*(?:\n(?:[ \t]*\r?(?=\n)| {3,}[^\n]*))*/.exec(text.slice(start, end)) ?? [];
  let own = lines.trimEnd();
  // A brace that was opened before it.
  while (own.endsWith("}") && own.split("}").length > own.split("{").length) own = own.slice(0, -1).trimEnd();
  return start + own.length;
}

const tokens = /"(?:[^"\\]|\\[\s\S])*"|'[^']*'|[{}[\]]/g;

function findBracket(text: string, { from: start, to: end }: TextRange): number | null {
  let depth = 0;
  for (const { 0: token, index } of text.slice(start, end).matchAll(tokens)) {
    if (/^[{[]$/.test(token)) depth++;
    else if (/^[}\]]$/.test(token)) depth--;
    if (depth === 0) return start + index + 1;
  }
  return null;
}
