import type * as Y from "yjs";
import type { TextChange } from "../flow/text-range";
import {
  type DeclaredName,
  listDeclaredNames,
  listKnown,
  noteName,
  noteVariable,
  noteVersion,
  toKeyOfNothing,
  toVersionKey,
} from "../live/structure-versions";
import { findParts, isLeft, printId } from "../live/written-parts";
import type { SourceDocument } from "../source/read/source-document";
import { findRemovedNames, findRenamedVariable, listNewNames } from "../source/structure/declared-names";
import { listChangedRegisters, widenToRegisters } from "../source/structure/registers";
import type { FileEntry } from "../source/together/deleted-entries";
import { findNameEnd } from "./find-name-end";
import { originOf } from "./version-names";

/** What a change does to the members of scopes and to the names of the file. */
export type StructureChange = ReturnType<typeof findStructureChange>;

export function findStructureChange(before: SourceDocument, after: SourceDocument) {
  const { renames, removed } = findRemovedNames(before.flow, after.flow);
  const registers = listChangedRegisters(before, after, renames);
  const variable = findRenamedVariable(before.flow, after);
  return { before, after, registers, names: listNewNames(before.flow, after), variable, renames, removed };
}

/** The same changes, with the members of scopes replaced as a whole: of two people the text of one can be taken out. */
export const widenStructure = (
  changes: readonly TextChange[],
  { registers, before, after }: StructureChange,
): TextChange[] => widenToRegisters(changes, registers, { before: before.text, after: after.text });

/** Whether an entry lists the members of a scope: it is replaced, not deleted. */
export const isReplaced = ({ from: start, to: end }: FileEntry, { registers }: StructureChange): boolean =>
  registers.some(({ previous }) => previous?.ranges.some((range) => range.from <= start && end - 1 <= range.to));

/** Notes what was written, in the transaction that wrote it. */
export function noteStructure(doc: Y.Doc, change: StructureChange): void {
  const { registers, names, variable, renames, removed, after } = change;
  for (const { name, range } of names) {
    const [first] = findParts(doc, range);
    if (!first) continue;
    const written = after.text.slice(range.from, range.to);
    const [old] = Object.entries(renames).find(([, next]) => next === name) ?? [];
    const replaced = old === undefined ? {} : { old, ...findReplaced(doc, old) };
    noteName(doc, { key: printId(first.start), name, written, by: doc.clientID, ...replaced });
  }
  const [letters] = variable ? findParts(doc, variable.range) : [];
  if (variable && letters) {
    const written = after.text.slice(variable.range.from, variable.range.to);
    noteVariable(doc, {
      key: printId(letters.start),
      name: variable.name,
      written,
      by: doc.clientID,
      old: variable.old,
    });
  }
  for (const { key: scope, previous, register } of registers) {
    const parts = register.ranges.flatMap((range) => findParts(doc, range));
    const key = toVersionKey(parts) ?? toKeyOfNothing(doc);
    const before = previous?.readValue() ?? emptyMembers;
    const knows = listKnown(doc, key);
    const nameEnd = findNameEnd(doc, after, register.scope);
    const version = { key, scope, nameEnd, before, knows, renames, removed, by: doc.clientID, parts };
    noteVersion(doc, version, register.readValue());
  }
}

/**
 * The key of the name that had been given to what is renamed: someone else may give it another one at the same time. Others may
 * have given the same name to something else, which has it still, or has another one since.
 */
function findReplaced(doc: Y.Doc, old: string): Pick<DeclaredName, "replaces"> {
  const declared = listDeclaredNames(doc);
  const replaced = new Set(declared.map(originOf));
  const key = declared.findLast((one) => one.name === old && !replaced.has(one.key) && !isLeft(doc, one.key))?.key;
  return key === undefined ? {} : { replaces: key };
}

/** No members. */
export const emptyMembers = JSON.stringify({ flow: "" });
