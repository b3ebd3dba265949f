import type * as Y from "yjs";
import { findDeclaration } from "../flow/flow";
import { findFreeName } from "../flow/free-name";
import { groupBy } from "../flow/group-by";
import { hashText } from "../flow/hash-text";
import type { TextRange } from "../flow/text-range";
import { keepLetters } from "../live/deleted-entries";
import { readText } from "../live/live-document";
import { findLettersInDeleted } from "../live/lost-texts";
import { writeSharedText } from "../live/shared-text";
import {
  compareGivenNames,
  type DeclaredName,
  listDeclaredNames,
  listVariableNames,
  listVersionsOf,
  noteName,
  noteVariable,
  noteVersion,
  toScopeOf,
} from "../live/structure-versions";
import {
  deleteRanges,
  findLetter,
  findLetters,
  findParts,
  findRanges,
  isLeft,
  parseId,
  printId,
} from "../live/written-parts";
import type { SourceDocument } from "../source/read/source-document";
import { readSource } from "../source/read-source";
import { renderKey } from "../source/yaml/render-yaml";
import { originOf } from "./version-names";

/** A name in the text, where its declaration begins. */
interface WrittenName extends DeclaredName {
  offset: number;
}

/** Gives another name to what someone declared under a name that someone else gave at the same time. Returns whether there was any. */
export function settleNames(doc: Y.Doc, previous: SourceDocument): boolean {
  dropDeleted(doc);
  dropDoubles(doc);
  for (const names of [listDeclaredNames(doc), listVariableNames(doc)])
    for (const { key, written } of listGlued(doc, names)) takeOut(doc, key, written.length);
  const renamed = [
    ...listTwice(doc, listDeclaredNames(doc)).filter((name) => renameOne(doc, name, previous)),
    ...listTwice(doc, listVariableNames(doc)).filter((name) => renameVariable(doc, name, previous)),
  ];
  return renamed.length > 0;
}

/** Whether several people declared one name, or gave it to variables. */
export const hasNamesTwice = (doc: Y.Doc): boolean =>
  [listDeclaredNames(doc), listVariableNames(doc)].some((names) => listTwice(doc, names).length > 0);

/** The names that are declared once more; the one of the smallest document stays. */
function listTwice(doc: Y.Doc, names: readonly DeclaredName[]): WrittenName[] {
  const byName = groupBy(names, ({ name }) => name);
  const given = [...byName.values()].filter((names) => names.length > 1).flat();
  if (given.length === 0) return [];
  const written = findWritten(doc, given, isWhole);
  const sorted = written.toSorted(compareWritten);
  return sorted.filter((name, index) => sorted.findIndex((other) => other.name === name.name) < index);
}

/** The names of these that are in the text, with their places. `isThere`: whether a name is at an offset. */
function findWritten(doc: Y.Doc, names: readonly DeclaredName[], isThere: typeof isWhole): WrittenName[] {
  const text = readText(doc);
  const offsets = findLetters(
    doc,
    names.map(({ key }) => key),
  );
  return names.flatMap((name) => {
    const offset = offsets.get(name.key);
    return offset !== undefined && isThere(text, offset, name.written) ? [{ ...name, offset }] : [];
  });
}

/** The one of the smallest document first: editors choose it as well. */
const compareWritten = (a: DeclaredName, b: DeclaredName): number => a.by - b.by || (a.key < b.key ? -1 : 1);

/** Whether a name is all that is written in its place. */
const isWhole = (text: string, offset: number, written: string): boolean =>
  text.startsWith(written, offset) &&
  /[\s{,[-]/.test(text[offset - 1] ?? " ") &&
  /^\s*(?:[:,}\]\n#]|$)/.test(text.slice(offset + written.length, offset + written.length + 100));

/** The number after a name, by its letter: whatever else they know, all give one declaration the same name. */
const toNumber = (key: string): number => 10 + (hashText(key) % 90);

function renameOne(doc: Y.Doc, given: WrittenName, previous: SourceDocument): boolean {
  const { name, key } = given;
  const { flow } = readSource(readText(doc), undefined, previous);
  const used = new Set(listDeclaredNames(doc).map((other) => other.name));
  const isTaken = (candidate: string): boolean => used.has(candidate) || findDeclaration(flow, candidate) !== null;
  const versions = listVersionsOf(doc, { name, key });
  const written = writeFreeName(doc, given, isTaken);
  if (!written) return false;
  noteName(doc, written);
  for (const version of versions) noteVersion(doc, { ...version, scope: toScopeOf(written.name, version.scope) });
  return true;
}

function renameVariable(doc: Y.Doc, given: WrittenName, previous: SourceDocument): boolean {
  const { flow } = readSource(readText(doc), undefined, previous);
  const used = new Set(listVariableNames(doc).map((other) => other.name));
  const written = writeFreeName(doc, given, (candidate) => used.has(candidate) || flow.vars.has(candidate));
  if (written) noteVariable(doc, written);
  return written !== null;
}

/** Writes a name that is free in the place of one that is there twice. */
function writeFreeName(
  doc: Y.Doc,
  { name, written, key, by, old }: WrittenName,
  isTaken: (candidate: string) => boolean,
): DeclaredName | null {
  const offset = findLetter(doc, key);
  if (offset === null) return null;
  const freeName = findFreeName(name, isTaken, toNumber(key));
  const insert = renderKey(freeName, true);
  writeSharedText(doc, [{ from: offset, to: offset + written.length, insert }]);
  const parts = findParts(doc, { from: offset, to: offset + insert.length });
  const [first] = parts;
  if (!first) return null;
  keepLetters(doc, parts);
  const renamed = old === undefined ? {} : { old };
  return { key: printId(first.start), name: freeName, written: insert, by, was: { name, key }, ...renamed };
}

/** Takes out the names that were given to what someone deleted at the same time, without knowing of the name. */
function dropDeleted(doc: Y.Doc): void {
  const given = listDeclaredNames(doc).filter(({ was, key }) => was !== undefined && isLeft(doc, key));
  const deleted = findLettersInDeleted(
    doc,
    given.flatMap(({ was }) => was?.key ?? []),
  );
  const dropped = given.filter(({ was }) => was && deleted.has(was.key));
  for (const { key, written } of findWritten(doc, dropped, isAlone)) takeOut(doc, key, written.length);
}

/** Whether a name is at an offset that names nothing: it is no key, and not the value of `name`. */
const isAlone = (text: string, offset: number, written: string): boolean =>
  text.startsWith(written, offset) &&
  !/^[ \t]*:/.test(text.slice(offset + written.length, offset + written.length + 20)) &&
  !/\bname["']?:[ \t]*$/.test(text.slice(Math.max(0, offset - 20), offset));

/** Takes out all but one of the names that several people gave in the place of the same one. */
function dropDoubles(doc: Y.Doc): void {
  const kept = new Set<string>();
  for (const one of listDeclaredNames(doc).toSorted(compareGivenNames)) {
    const origin = originOf(one);
    if (origin === undefined || !isLeft(doc, one.key)) continue;
    if (kept.has(origin)) takeOut(doc, one.key, one.written.length);
    kept.add(origin);
  }
}

/**
 * Of names that are written one behind the other, all but the one that stays: someone else gave one thing its name before the
 * other one was known. Of names that are their authors' own the editors choose one.
 */
function listGlued(doc: Y.Doc, names: readonly DeclaredName[]): DeclaredName[] {
  const left = names.filter(({ old }) => old !== undefined);
  if (left.length < 2) return [];
  const written = findWritten(doc, left, (text, offset, name) => text.startsWith(name, offset));
  const starts = new Map(written.map((name) => [name.offset, name]));
  return written.flatMap((name) => {
    const next = starts.get(name.offset + name.written.length);
    const isSettled = name.was !== undefined || next?.was !== undefined;
    return next && isSettled ? [name, next].toSorted(compareWritten).slice(1) : [];
  });
}

/**
 * Names that several people gave in the place of the same one, with the one of them that is left, and its key. A name that
 * something else has stays.
 */
export function listDoubles(doc: Y.Doc): { name: string; next: string; key: string }[] {
  const declared = listDeclaredNames(doc).toSorted(compareGivenNames);
  const left = new Set(declared.filter(({ key }) => isLeft(doc, key)));
  const used = new Set([...left].map(({ name }) => name));
  return [...groupBy(declared, (one) => originOf(one) ?? toOldName(one))].flatMap(([place, given]) => {
    const kept = place === undefined ? undefined : given.find((one) => left.has(one));
    const dropped = given.filter(({ name }) => !used.has(name));
    return kept ? dropped.map(({ name }) => ({ name, next: kept.name, key: kept.key })) : [];
  });
}

/** In the place of a name of which nobody noted that it was given. */
const toOldName = ({ old }: DeclaredName): string | undefined => (old === undefined ? undefined : `the name ${old}`);

/** Takes a name out of the line where it begins: what its author wrote elsewhere stays. */
function takeOut(doc: Y.Doc, key: string, length: number): void {
  const start = parseId(key);
  const offset = findLetter(doc, key);
  if (!start || offset === null) return;
  const text = readText(doc);
  const nextLine = text.indexOf("\n", offset);
  const line = { from: offset, to: nextLine < 0 ? text.length : nextLine };
  const part = { start, end: { client: start.client, clock: start.clock + length - 1 } };
  const isInLine = ({ from: first, to: end }: TextRange): boolean => line.from <= first && end <= line.to;
  deleteRanges(doc, findRanges(doc, [part]).filter(isInLine));
}
