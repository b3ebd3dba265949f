import { isMap, type Pair } from "yaml";
import type { TextChange, TextRange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import { rangeOfPair } from "../yaml/pair-position";
import { toEntry } from "../yaml/yaml-nodes";

/** An entry of a file with its key. */
export interface FileEntry extends TextRange {
  title: string;
  /** Whether the title is the key of a section. */
  isSection?: boolean;
}

/** A whole end of line is one character. */
export const characterAt = (text: string, offset: number): string =>
  text.startsWith("\r\n", offset) ? "\r\n" : text.slice(offset, offset + 1);

/**
 * The entries that changes delete as a whole, without those inside of others. Each with the character after it: between both
 * is where users write at the end of the entry.
 */
export function listDeletedEntries(document: SourceDocument, changes: readonly TextChange[]): FileEntry[] {
  const deletions = changes.filter(({ from: start, to: end }) => document.text.slice(start, end).includes(":"));
  if (deletions.length === 0 || document.broken) return [];
  const isDeleted = (range: TextRange): boolean =>
    deletions.some(({ from: start, to: end }) => start <= range.from && range.to <= end);
  const sections: readonly Pair[] = [...document.sections.values()].map(({ pair }) => pair);
  const list = (pairs: readonly Pair[], owner: string | null): FileEntry[] =>
    pairs.flatMap((pair) => {
      const whole = rangeOfPair(pair, document.text);
      const range = isDeleted(whole) ? whole : trim(document.text, whole);
      const key = toEntry(pair, document.yaml)?.key ?? "";
      const title = owner ?? key;
      if (isDeleted(range)) {
        const isSection = sections.includes(pair) && { isSection: true };
        return [{ from: range.from, to: endAfter(document.text, range), title, ...isSection }];
      }
      return isMap(pair.value) ? list(pair.value.items, ownerOf(document, key) ?? owner) : [];
    });
  const listed = [...document.declarations].flatMap(([title, { entry }]): FileEntry[] => {
    // An agent of a list has no key of its own.
    const declared = entry ? null : document.rangeOf(title);
    const range = declared && trim(document.text, declared);
    return range && isDeleted(range) ? [{ from: range.from, to: endAfter(document.text, range), title }] : [];
  });
  return [...list(sections, null), ...listed];
}

/** What a deleted field is a field of. */
const ownerOf = ({ declarations }: SourceDocument, key: string): string | null => (declarations.has(key) ? key : null);

const endAfter = (text: string, { to: end }: TextRange): number => end + characterAt(text, end).length;

function trim(text: string, { from: start, to: end }: TextRange): TextRange {
  return { from: start, to: start + text.slice(start, end).trimEnd().length };
}
