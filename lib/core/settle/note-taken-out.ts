import type * as Y from "yjs";
import { groupBy } from "../flow/group-by";
import type { TextChange } from "../flow/text-range";
import {
  hasNotes,
  listKnown,
  listLatestVersions,
  listVersions,
  noteVersion,
  type StructureVersion,
  toKeyOfNothing,
} from "../live/structure-versions";
import { findParts, type WrittenPart } from "../live/written-parts";
import type { SourceDocument } from "../source/read/source-document";
import { listRegisters } from "../source/structure/registers";
import { emptyMembers } from "./note-structure";

/** Scopes of which this user deleted members as a text, letter by letter or at once. */
const touchedScopes = new WeakMap<Y.Doc, Set<string>>();

/** Remembers the scopes whose members changes are about to delete. Ranges are of the text before. */
export function watchDeleted(doc: Y.Doc, changes: readonly TextChange[]): void {
  const deletions = changes.filter(({ from: start, to: end }) => end > start);
  if (deletions.length === 0 || !hasNotes(doc)) return;
  const touched = touchedScopes.get(doc) ?? new Set<string>();
  touchedScopes.set(doc, touched);
  const deleted = groupBy(
    deletions.flatMap((range) => findParts(doc, range)),
    ({ start }) => start.client,
  );
  const isDeleted = ({ start, end }: WrittenPart): boolean =>
    deleted.get(start.client)?.some((part) => part.start.clock <= end.clock && start.clock <= part.end.clock) ?? false;
  for (const [scope, versions] of listLatestVersions(listVersions(doc)))
    if (versions.some(({ parts }) => parts.some(isDeleted))) touched.add(scope);
}

/** Whether `noteTakenOut` may find something. */
export const hasTakenOut = (doc: Y.Doc): boolean => (touchedScopes.get(doc)?.size ?? 0) > 0;

/**
 * Notes that a user took out all members of a scope: without it they would be put back, as those are which two people who merge
 * at the same time take out. `after`: the text of the document.
 */
export function noteTakenOut(doc: Y.Doc, after: SourceDocument): void {
  const touched = touchedScopes.get(doc);
  if (!touched || after.broken || after.unreadableRanges.length > 0) return;
  const registers = listRegisters(after);
  const latest = listLatestVersions(listVersions(doc));
  for (const scope of touched) {
    if (registers.get(scope)?.ranges.length !== 0) continue;
    touched.delete(scope);
    const [version] = latest.get(scope) ?? [];
    if (version) noteVersion(doc, toNothing(doc, version), emptyMembers);
  }
}

function toNothing(doc: Y.Doc, { scope, nameEnd, before }: StructureVersion): StructureVersion {
  const key = toKeyOfNothing(doc);
  const knows = listKnown(doc, key);
  return { key, scope, nameEnd, before, knows, renames: {}, removed: [], by: doc.clientID, parts: [] };
}
