import type * as Y from "yjs";
import { findDeclaration } from "../flow/flow";
import type { TextRange } from "../flow/text-range";
import { readDeleted } from "../live/deleted-entries";
import { isMerged, type Knowledge } from "../live/known-notes";
import { listDeclaredNames, listVersions, type StructureVersion } from "../live/structure-versions";
import { findRanges, isLeft } from "../live/written-parts";
import type { SourceDocument } from "../source/read/source-document";
import { listRegisters } from "../source/structure/registers";
import type { TopologyValue } from "../source/structure/topology-value";
import { membersOfValue, readTopologyValue, removeFromValue, renameInValue } from "../source/structure/topology-value";
import { followAll } from "./follow-all";
import { listDoubles } from "./settle-names";

/** The names that declarations had once, each with the key of a note that whoever knew of the change knows. */
export interface Losses {
  deletions: readonly { name: string; key: string }[];
  renames: readonly { name: string; next: string; key: string }[];
}

export function readLosses(doc: Y.Doc): Losses {
  const versions = listVersions(doc);
  return {
    deletions: [
      ...readDeleted(doc).map(({ title, key }) => ({ name: title, key })),
      ...versions.flatMap(({ removed, key }) => removed.map((name) => ({ name, key }))),
    ],
    renames: [
      ...versions.flatMap(({ renames, key }) => Object.entries(renames).map(([name, next]) => ({ name, next, key }))),
      ...listReplaced(doc),
      ...listDoubles(doc),
    ],
  };
}

/** Where nothing has it as a member, no version says that it was renamed; or someone else gave the old name at the same time. */
function listReplaced(doc: Y.Doc): { name: string; next: string; key: string }[] {
  return listDeclaredNames(doc).flatMap(({ old, name, key }) => {
    if (old === undefined) return [];
    return isLeft(doc, key) ? { name: old, next: name, key } : { name, next: old, key };
  });
}

interface MissingIn {
  doc: Y.Doc;
  document: SourceDocument;
  /** What was read before the update. */
  previous: SourceDocument;
  losses: Losses;
  isKnown: Knowledge;
  /** Of the scope. */
  key: string;
  /** The versions that the members were made of; none: they were typed, or are as old as the document. */
  authors: readonly StructureVersion[];
}

/**
 * The members with the new names of those that someone renamed, and without those that someone deleted. A member stays where
 * its author knew of that, and where it was missing before.
 */
export function replaceMissing(value: TopologyValue, scope: MissingIn): TopologyValue {
  const { document, losses, authors, isKnown } = scope;
  const missing = listMissing(value, scope);
  if (missing.length === 0) return value;
  // Nobody wrote what several versions were merged to.
  const isKnownTo = (author: StructureVersion, key: string): boolean =>
    !isMerged(author.key) && (author.key === key || isKnown(author, key));
  const moved = new Map<string, string>();
  const gone = new Set<string>();
  for (const name of missing) {
    const isTyped = isTypedIn(name, scope);
    const isUnknown = ({ key }: { key: string }): boolean =>
      isTyped || authors.length === 0 || authors.some((author) => !isKnownTo(author, key));
    const next = findCurrent(name, losses.renames.filter(isUnknown), document);
    if (next !== undefined) moved.set(name, next);
    else if (isDeleted(name, losses, isUnknown)) gone.add(name);
  }
  if (moved.size === 0 && gone.size === 0) return value;
  return removeFromValue(renameInValue(value, moved), gone);
}

/** Two names in one place are read as one until one of them is chosen: neither is missing. */
function listMissing(value: TopologyValue, scope: MissingIn): string[] {
  const missing = membersOfValue(value).filter((name) => isMissing(name, scope.document) && !wasMissing(name, scope));
  if (missing.length === 0) return [];
  const left = listDeclaredNames(scope.doc).filter(({ key }) => isLeft(scope.doc, key));
  const written = new Set(left.map(({ name }) => name));
  return missing.filter((name) => !written.has(name));
}

const isMissing = (name: string, { flow }: SourceDocument): boolean => findDeclaration(flow, name) === null;

function wasMissing(name: string, { previous, key }: MissingIn): boolean {
  const register = listRegisters(previous).get(key);
  if (!register || !isMissing(name, previous)) return false;
  return membersOfValue(readTopologyValue(previous, register.scope)).includes(name);
}

/** Whether a name is in letters that are of none of the versions. */
function isTypedIn(name: string, { doc, document, key, authors }: MissingIn): boolean {
  const written = findRanges(
    doc,
    authors.flatMap(({ parts }) => parts),
  );
  const isWritten = (range: TextRange): boolean => written.some((one) => one.from <= range.from && range.to <= one.to);
  const ranges = listRegisters(document).get(key)?.ranges ?? [];
  return ranges.some(({ from: start, to: end }) => {
    for (let place = document.text.indexOf(name, start); place >= 0 && place < end; ) {
      if (!isWritten({ from: place, to: place + name.length })) return true;
      place = document.text.indexOf(name, place + 1);
    }
    return false;
  });
}

/** The name that something has now which had this one: after one rename or several. */
function findCurrent(name: string, renames: Losses["renames"], document: SourceDocument): string | undefined {
  // Of several renames of one name the last one comes first.
  const latest = renames.toReversed();
  return [...followAll([name], (old) => listNext(latest, old))].find(
    (next) => next !== name && !isMissing(next, document),
  );
}

/** What was deleted under its old name is not there under its new one. */
function isDeleted(
  name: string,
  { deletions, renames }: Losses,
  isUnknown: (deletion: { key: string }) => boolean,
): boolean {
  const deleted = deletions.filter(isUnknown).map((one) => one.name);
  return followAll(deleted, (old) => listNext(renames, old)).has(name);
}

const listNext = (renames: Losses["renames"], name: string): string[] =>
  renames.flatMap((one) => (one.name === name ? one.next : []));
