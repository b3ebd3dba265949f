import type * as Y from "yjs";
import type { TextChange } from "../flow/text-range";
import { readText } from "../live/live-document";
import { isOwnClient } from "../live/own-clients";
import { isShared, writeSharedText } from "../live/shared-text";
import { type DeclaredName, listDeclaredNames, noteName } from "../live/structure-versions";
import { isLeft, readWriters } from "../live/written-parts";
import { renameChanges } from "../source/edit/rename-declaration";
import type { SourceDocument } from "../source/read/source-document";
import { readSource } from "../source/read-source";
import { listRegisters } from "../source/structure/registers";

/** The names of each document that were taken already. */
const takenNames = new WeakMap<Y.Doc, Set<string>>();

const isTaken = (doc: Y.Doc, { was }: DeclaredName): boolean =>
  was !== undefined && takenNames.get(doc)?.has(was.key) === true;

/** Names that someone else gave to what their author declared, while the author's editor did not know of it. */
const listUnseen = (doc: Y.Doc): DeclaredName[] =>
  listDeclaredNames(doc).filter(({ was, isSeen, key }) => was !== undefined && !isSeen && isLeft(doc, key));

/** What this user declared and someone gave another name since the last call, whoever it was. Notes that it is seen. */
export function takeRenamed(doc: Y.Doc): DeclaredName[] {
  const own = listUnseen(doc).filter(({ by }) => isOwnClient(doc, by));
  const renamed = own.filter((name) => !isTaken(doc, name));
  const taken = takenNames.get(doc) ?? new Set();
  takenNames.set(doc, taken);
  for (const name of own) {
    if (name.was) taken.add(name.was.key);
    noteName(doc, { ...name, isSeen: true });
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
  const unseen = listUnseen(doc).filter((name) => !isTaken(doc, name));
  let document: SourceDocument | null = null;
  for (const name of unseen) {
    document ??= readSource(readText(doc), undefined, previous);
    const changes = listReferences(doc, document, name);
    if (changes.length === 0 || changes.length > maxReferences) continue;
    writeSharedText(doc, changes);
    document = null;
  }
}

function listReferences(doc: Y.Doc, document: SourceDocument, { name, was, by }: DeclaredName): TextChange[] {
  if (!was || document.broken) return [];
  const registers = [...listRegisters(document).values()].flatMap(({ ranges }) => ranges);
  const declaration = document.declarations.get(was.name)?.nameNode.range?.[0];
  // What was renamed before is no one's.
  const wasRenamed = listDeclaredNames(doc).some(({ key, was: earlier }) => key === was.key && earlier !== undefined);
  const findWriter = readWriters(doc);
  const isOwn = ({ from: start }: TextChange): boolean => {
    if (start === declaration || registers.some((range) => range.from <= start && start <= range.to)) return false;
    const writer = findWriter(start);
    return writer !== null && (writer.client === by || (wasRenamed && isShared(writer)));
  };
  return renameChanges(document, new Map([[was.name, name]])).filter(isOwn);
}
