import type * as Y from "yjs";
import { findBoundary } from "../flow/find-boundary";
import { eolOf } from "../flow/text-range";
import { keepLetters } from "../live/deleted-entries";
import { readText } from "../live/live-document";
import { listAfterSections } from "../live/lost-texts";
import { writeSharedText } from "../live/shared-text";
import { listDeclaredNames } from "../live/structure-versions";
import { findLetters, findParts } from "../live/written-parts";
import { declaringSections } from "../source/read/sections";

/**
 * Writes the title of a section again whose entries someone else added at the same time: two titles became one, and the person
 * who had written that one took the section out without knowing of the other's.
 */
export function restoreHeadings(doc: Y.Doc): void {
  const declared = listDeclaredNames(doc);
  const orphan = declared.length > 0 ? findOrphan(doc, new Set(declared.map(({ key }) => key))) : undefined;
  if (!orphan) return;
  const { offset, title } = orphan;
  const insert = `${title}:${eolOf(readText(doc))}`;
  writeSharedText(doc, [{ from: offset, to: offset, insert }]);
  keepLetters(doc, findParts(doc, { from: offset, to: offset + insert.length }));
}

/** The first line after a deleted section that declares one of these new names, in no section of that title. */
function findOrphan(doc: Y.Doc, keys: ReadonlySet<string>): { offset: number; title: string } | undefined {
  const after = listAfterSections(doc);
  if (after.length === 0) return undefined;
  const text = readText(doc);
  const starts = new Set([...findLetters(doc, keys).values()].map((place) => text.lastIndexOf("\n", place) + 1));
  const orphans = after.filter(({ offset }) => starts.has(offset) && text.startsWith(" ", offset));
  if (orphans.length === 0) return undefined;
  const headings = [...text.matchAll(/^([\w-]+):/gm)];
  const titleAt = (offset: number): string | undefined =>
    headings[findBoundary(headings.length, (index) => (headings[index]?.index ?? offset) >= offset) - 1]?.[1];
  return orphans.find(({ offset, title }) => declaringSections().includes(title) && titleAt(offset) !== title);
}
