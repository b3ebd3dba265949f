import type * as Y from "yjs";
import { findDeclaration } from "../flow/flow";
import type { TextChange } from "../flow/text-range";
import { readText } from "../live/live-document";
import { isOwnClient } from "../live/own-clients";
import { isShared, writeSharedText } from "../live/shared-text";
import {
  type DeclaredName,
  listDeclaredNames,
  listVariableNames,
  noteName,
  noteVariable,
} from "../live/structure-versions";
import { isLeft, readWriters } from "../live/written-parts";
import { renameChanges, renameInConditions, renameInLookUps, withoutOverlaps } from "../source/edit/rename-declaration";
import type { SourceDocument } from "../source/read/source-document";
import { readSource } from "../source/read-source";
import { listRegisters } from "../source/structure/registers";

/** The names of each document that were taken already. */
const takenNames = new WeakMap<Y.Doc, Set<string>>();

const isTaken = (doc: Y.Doc, { was }: DeclaredName): boolean =>
  was !== undefined && takenNames.get(doc)?.has(was.key) === true;

/** Names of one type in a document: of declarations, or of variables. */
interface NameType {
  list: typeof listDeclaredNames;
  note: typeof noteName;
  /** The changes that rename one wherever it is used. */
  rename: typeof renameChanges;
  /** Whether something has a name now. */
  has(document: SourceDocument, name: string): boolean;
}

const declarations: NameType = {
  list: listDeclaredNames,
  note: noteName,
  rename: renameChanges,
  has: ({ flow }, name) => findDeclaration(flow, name) !== null,
};
const variables: NameType = {
  list: listVariableNames,
  note: noteVariable,
  has: ({ flow }, name) => flow.vars.has(name),
  rename: (document, names) =>
    withoutOverlaps([...renameInConditions(document, "vars", names), ...renameInLookUps(document, "vars", names)]),
};

/** Names that someone else gave to what their author declared, while the author's editor did not know of it. */
const listUnseen = (doc: Y.Doc, { list }: NameType): DeclaredName[] =>
  list(doc).filter(({ was, isSeen, key }) => was !== undefined && !isSeen && isLeft(doc, key));

/** What this user declared, and someone gave another name since the last call, whoever it was. Notes that it is seen. */
export const takeRenamed = (doc: Y.Doc): DeclaredName[] => takeRenamedOf(doc, declarations);

/** Of the variables that this user renamed. */
export const takeRenamedVariables = (doc: Y.Doc): DeclaredName[] => takeRenamedOf(doc, variables);

function takeRenamedOf(doc: Y.Doc, type: NameType): DeclaredName[] {
  const own = listUnseen(doc, type).filter(({ by }) => isOwnClient(doc, by));
  const renamed = own.filter((name) => !isTaken(doc, name));
  const taken = takenNames.get(doc) ?? new Set();
  takenNames.set(doc, taken);
  for (const name of own) {
    if (name.was) taken.add(name.was.key);
    type.note(doc, { ...name, isSeen: true });
  }
  return renamed;
}

/** More references of one name are left as they are: each one is written as shared text, which adds a client. */
const maxReferences = 200;

/**
 * Renames what is called otherwise now where its author wrote of it elsewhere, and did not know of the new name: in texts that
 * look it up, and in conditions. As shared text: several editors and the server may do it at the same time.
 */
export function renameReferences(doc: Y.Doc, previous: SourceDocument): void {
  const unseen = [declarations, variables].flatMap((type) =>
    listUnseen(doc, type).flatMap((name) => (isTaken(doc, name) ? [] : [{ name, type }])),
  );
  let document: SourceDocument | null = null;
  for (const { name, type } of unseen) {
    document ??= readSource(readText(doc), undefined, previous);
    const changes = listReferences(doc, document, { ...name, type });
    if (changes.length === 0 || changes.length > maxReferences) continue;
    writeSharedText(doc, changes);
    document = null;
  }
  for (const type of [declarations, variables]) joinGluedUses(doc, type, previous);
}

/** Matches a look-up of an output or a variable. */
const lookUpPattern = /\b(?:outputs|vars)(?:\.|\[["']?)([^\s"'{}[\]]+)/g;

/**
 * Leaves one of two names that are written one behind the other where someone looks up what got both: the one that it has. The
 * other one was written by an editor, or its author does not know that it was given up.
 */
function joinGluedUses(doc: Y.Doc, type: NameType, previous: SourceDocument): void {
  const names = new Set(type.list(doc).flatMap(({ name, was }) => (was ? [name, was.name] : [name])));
  if (names.size < 2) return;
  const document = readSource(readText(doc), undefined, previous);
  if (document.broken) return;
  const oldNames = new Map(type.list(doc).map(({ name, was }) => [name, was?.name]));
  // What had a name that something else has is the one that has a number now.
  const isGivenUp = (other: string, name: string): boolean =>
    names.has(other) && (!type.has(document, other) || oldNames.get(name) === other);
  const used = new Set(Array.from(document.text.matchAll(lookUpPattern), ([, name = ""]) => name));
  const unknown = [...used].filter((name) => !type.has(document, name) && !names.has(name));
  const kept = unknown.flatMap((glued): [string, string][] => {
    const isPart = (name: string): boolean =>
      type.has(document, name) &&
      ((glued.startsWith(name) && isGivenUp(glued.slice(name.length), name)) ||
        (glued.endsWith(name) && isGivenUp(glued.slice(0, -name.length), name)));
    const [name, ...others] = [...names].filter(isPart);
    return name !== undefined && others.length === 0 ? [[glued, name]] : [];
  });
  const changes = kept.length > 0 ? type.rename(document, new Map(kept)) : [];
  if (changes.length > 0 && changes.length <= maxReferences) writeSharedText(doc, changes);
}

function listReferences(
  doc: Y.Doc,
  document: SourceDocument,
  { name, was, by, type }: DeclaredName & { type: NameType },
): TextChange[] {
  if (!was || document.broken) return [];
  const registers = [...listRegisters(document).values()].flatMap(({ ranges }) => ranges);
  const declaration = document.declarations.get(was.name)?.nameNode.range?.[0];
  // What was renamed before is no one's.
  const wasRenamed = type.list(doc).some(({ key, was: earlier }) => key === was.key && earlier !== undefined);
  const findWriter = readWriters(doc);
  const isOwn = ({ from: start }: TextChange): boolean => {
    if (start === declaration || registers.some((range) => range.from <= start && start <= range.to)) return false;
    const writer = findWriter(start);
    return writer !== null && (writer.client === by || (wasRenamed && isShared(writer)));
  };
  return type.rename(document, new Map([[was.name, name]])).filter(isOwn);
}
