import type * as Y from "yjs";
import { applyChanges } from "../flow/text-change";
import { type TextChange, type TextRange, withoutRanges } from "../flow/text-range";
import { keepLetters } from "../live/deleted-entries";
import { type Knowledge, readKnowledge } from "../live/known-notes";
import { readText } from "../live/live-document";
import { findLost } from "../live/lost-texts";
import { writeSharedText } from "../live/shared-text";
import {
  listDeclaredNames,
  listKnown,
  listLatestVersions,
  listLostVersions,
  listNotedMembers,
  listRivalVersions,
  listVersions,
  noteVersion,
  type StructureVersion,
  toVersionKey,
} from "../live/structure-versions";
import { deleteRanges, findParts, findRanges } from "../live/written-parts";
import type { SourceDocument } from "../source/read/source-document";
import { readSource } from "../source/read-source";
import { alignNames } from "../source/structure/align-names";
import { findRegister, listRegisters, type Register, widenToRegisters } from "../source/structure/registers";
import type { TopologyValue, TopologyVersions } from "../source/structure/topology-value";
import {
  membersOfValue,
  mergeTopologies,
  parseTopologyValue,
  printTopologyValue,
  readTopologyValue,
  renameInValue,
  writeTopologyValue,
} from "../source/structure/topology-value";
import { findBase } from "./find-base";
import { listInputs, type ReadVersion } from "./list-inputs";
import { readLosses, replaceMissing } from "./missing-members";
import { readWithout } from "./read-without";
import { listNamesOf, listRenames, type Names } from "./version-names";

/** The versions of the members of one scope that were written without knowing of each other, with what is in them. */
interface Rivalry {
  scope: string;
  versions: readonly ReadVersion[];
}

/** Maximum number of rival versions: of one scope, and of all scopes together. Each is read with the whole text. */
const [maxRivals, maxAllRivals] = [20, 200];

/** Reads each of the rival versions as it was noted, else as if it were alone. Scopes with too many stay as they are: none is taken out unread. */
export function readRivalries(doc: Y.Doc, previous: SourceDocument): Rivalry[] {
  const all = listRivalVersions(doc).filter((versions) => versions.length <= maxRivals);
  const rivals = all.reduce((sum, { length }) => sum + length, 0) <= maxAllRivals ? all : [];
  if (rivals.length === 0) return [];
  const document = readSource(readText(doc), undefined, previous);
  const losers = rivals.flatMap((versions) => versions.slice(1));
  const noted = listNotedMembers(doc);
  const first = readWithout(document, rangesOf(doc, losers));
  return rivals.flatMap((versions): Rivalry[] => {
    const [winner] = versions;
    if (!winner) return [];
    const all = [winner, ...losers];
    const read = (version: StructureVersion): TopologyValue | null => {
      const others = all.filter((other) => other !== version);
      const { alone, move } = version === winner ? first : readWithout(document, rangesOf(doc, others));
      const register = listRegisters(alone).get(winner.scope);
      // What was typed into it since is in the text only; of what others took out a part the rest says nothing.
      const written = rangesOf(doc, [version]);
      const isWhole = countLetters(written) === countWritten(version);
      const isRead = register && (version.parts.length === 0 || (isWhole && isPlaced(register, written.map(move))));
      const members = noted.get(version.key);
      if (!isRead && members !== undefined) return parseTopologyValue(members);
      return register ? readTopologyValue(alone, register.scope) : null;
    };
    return [{ scope: winner.scope, versions: versions.map((version) => ({ version, value: read(version) })) }];
  });
}

const countLetters = (ranges: readonly TextRange[]): number =>
  ranges.reduce((sum, { from: start, to: end }) => sum + end - start, 0);

const countWritten = ({ parts }: StructureVersion): number =>
  parts.reduce((sum, { start, end }) => sum + end.clock - start.clock + 1, 0);

/** Whether all that was written is in the fields that list the members of a scope. */
const isPlaced = ({ ranges }: Register, written: readonly TextRange[]): boolean =>
  written.length > 0 && written.every((one) => ranges.some((range) => range.from <= one.from && one.from < range.to));

/** The latest versions of scopes of which the text has nothing, or only in a place where it is no member of the scope. */
export function readLostMembers(doc: Y.Doc, previous: SourceDocument): Rivalry[] {
  const text = readText(doc);
  const lost = listLostVersions(doc).filter((versions) => {
    const left = rangesOf(doc, versions);
    return left.length === 0 || isUnindented(text, left);
  });
  if (lost.length === 0) return [];
  const document = readSource(text, undefined, previous);
  const registers = listRegisters(document);
  const noted = listNotedMembers(doc);
  return lost.flatMap((versions): Rivalry[] => {
    const { scope = "" } = versions[0] ?? {};
    // Of a lane that is missing its one version was taken out by someone who knew it.
    const register = versions.length > 1 ? findRegister(document, scope) : registers.get(scope);
    if (!register || (register.ranges.length > 0 && rangesOf(doc, versions).length === 0)) return [];
    const values = versions.map((version) => ({ version, value: parseTopologyValue(noted.get(version.key) ?? "") }));
    return [{ scope, versions: values }];
  });
}

/** Whether what was written begins a line: members are in something that is named. */
const isUnindented = (text: string, [first]: readonly TextRange[]): boolean =>
  first !== undefined && text[first.from - 1] === "\n";

/** Takes out what was written by all but the first of the rivals, and what is left of the versions that others replaced. */
export function takeOutLosers(doc: Y.Doc, rivalries: readonly Rivalry[]): void {
  const losers = new Set(rivalries.flatMap(({ versions }) => versions.slice(1).map(({ version }) => version)));
  const scopes = new Set(rivalries.map(({ scope }) => scope));
  const all = listVersions(doc).filter(({ scope }) => scopes.has(scope));
  const kept = new Set([...listLatestVersions(all).values()].flat().filter((version) => !losers.has(version)));
  const others = all.filter((version) => !kept.has(version));
  // The letters of those that are kept stay, whose ever they are.
  deleteRanges(doc, withoutRanges(rangesOf(doc, others), rangesOf(doc, [...kept])));
}

const rangesOf = (doc: Y.Doc, versions: readonly StructureVersion[]): TextRange[] =>
  findRanges(
    doc,
    versions.flatMap(({ parts }) => parts),
  );

/** What has the members may have got another name since the rivals were read. */
function toCurrentScopes(doc: Y.Doc, { versions }: Rivalry): ReadVersion[] {
  const current = new Map(listVersions(doc).map((version) => [version.key, version]));
  return versions.map(({ version, value }) => ({ version: current.get(version.key) ?? version, value }));
}

/** Writes the members that all of the rivals together make, as everyone does. Returns the versions whose order was left out. */
export function writeMerged(doc: Y.Doc, rivalry: Rivalry, previous: SourceDocument): StructureVersion[] {
  const versions = toCurrentScopes(doc, rivalry);
  const [winner] = versions;
  if (!winner) return [];
  const { scope: key } = winner.version;
  let document = readSource(readText(doc), undefined, previous);
  let register = findRegister(document, key);
  const left = rangesOf(doc, [winner.version]);
  const isGone = register !== undefined && winner.version.parts.length > 0 && !isPlaced(register, left);
  if (isGone && left.length > 0) {
    deleteRanges(doc, left);
    document = readSource(readText(doc), undefined, document);
    register = findRegister(document, key);
  }
  const kept = { ...winner.version, knows: listKnown(doc, winner.version.key) };
  if (!register) {
    noteVersion(doc, kept);
    return [];
  }
  const { scope } = register;
  const container = scope.type === "group" ? document.flow.groups.get(scope.name) : undefined;
  const joinType = container?.mode === "parallel" ? "parallel" : "serial";
  const all = listVersions(doc);
  const isKnown = readKnowledge(all);
  const noted = listNotedMembers(doc);
  const notes = { declared: listDeclaredNames(doc), all, isKnown };
  const inputs = listInputs(versions, { all, isKnown, noted });
  const written = winner.value ?? readTopologyValue(document, scope);
  const [first = { ...winner, value: written }, ...others] = inputs.filter(({ value }) => value !== null);
  const leftOut: StructureVersion[] = [];
  const firstNames = listNamesOf(notes.declared, first.version, isKnown);
  let value = renameInValue(first.value ?? written, withoutUsed(firstNames, [first.value ?? written]));
  const merged = [first.version];
  for (const other of others) {
    if (!other.value) continue;
    const base = parseTopologyValue(findBase(all, [merged, other.version], { isKnown, noted }));
    const both = { base, first: value, second: other.value };
    const result = mergeTopologies(toCurrentNames(both, [merged, other.version], notes), joinType);
    value = result.value;
    merged.push(other.version);
    if (result.isRearranged && versions.includes(other)) leftOut.push(other.version);
  }
  const authors = inputs.map(({ version }) => version);
  value = replaceMissing(value, { doc, document, previous, losses: readLosses(doc), isKnown, key, authors });
  const [before, members] = [printTopologyValue(written), printTopologyValue(value)];
  const isShown = !isGone && printTopologyValue(readTopologyValue(document, scope)) === members;
  const changes = isShown ? [] : writeTopologyValue(document, scope, value);
  if (changes && changes.length > 0) {
    const next = { ...kept, ...writeRegister(doc, document, key, changes), before, renames: {}, removed: [] };
    noteVersion(doc, { ...next, knows: listKnown(doc, next.key) }, members);
  } else if (isGone) noteVersion(doc, { ...kept, before, key: `0-${document.text.length}`, parts: [] }, members);
  else noteVersion(doc, kept, members);
  return leftOut;
}

/** Writes the fields of one scope as a whole, in the way in which everyone writes them. */
export function writeRegister(
  doc: Y.Doc,
  document: SourceDocument,
  scope: string,
  changes: readonly TextChange[],
): Pick<StructureVersion, "key" | "parts"> {
  const text = applyChanges(document.text, changes);
  const register = listRegisters(readSource(text, undefined, document)).get(scope);
  const previous = listRegisters(document).get(scope);
  const texts = { before: document.text, after: text };
  const widened = register ? widenToRegisters(changes, [{ key: scope, previous, register }], texts) : changes;
  writeSharedText(doc, keepLineEnds(document.text, widened));
  const ranges = register?.ranges ?? [];
  const parts = ranges.flatMap((range) => findParts(doc, range));
  // Where someone deleted what was around it, it is no part of that.
  const lost = findLost(doc).flatMap(({ range }) => range ?? []);
  if (lost.some((one) => ranges.some((range) => one.from < range.to && range.from < one.to))) keepLetters(doc, parts);
  return { key: toVersionKey(parts) ?? `0-${text.length}`, parts };
}

/** Of lines that are taken out the end of the last one stays, not of the one before: others may have written more lines before it. */
const keepLineEnds = (text: string, changes: readonly TextChange[]): TextChange[] =>
  changes.map((change) => {
    const { from: start, to: end, insert } = change;
    const isOfLines = insert === "" && start > 0 && text[start - 1] === "\n" && text[end - 1] === "\n";
    const isFree = changes.every((other) => other === change || other.to < start || other.from >= end);
    return isOfLines && isFree ? { from: start - 1, to: end - 1, insert } : change;
  });

interface StructureNotes {
  declared: ReturnType<typeof listDeclaredNames>;
  all: readonly StructureVersion[];
  isKnown: Knowledge;
}

/** The versions with the names that things have now, which `first` has. `own`: those that `first` was made of. */
function toCurrentNames(
  { base, first, second }: TopologyVersions,
  [own, other]: readonly [readonly StructureVersion[], StructureVersion],
  { declared, all, isKnown }: StructureNotes,
): TopologyVersions {
  const namesOf = (version: StructureVersion): Names => listNamesOf(declared, version, isKnown);
  const secondNames = namesOf(other);
  // The base is what the second one knew before.
  const freeNames = withoutUsed(secondNames, [base, second]);
  const current = { base: renameInValue(base, freeNames), first, second: renameInValue(second, freeNames) };
  return alignNames(current, {
    first: own.flatMap((one) => listRenames(all, [one, other], { current: namesOf(one), isKnown })),
    second: own.flatMap((one) => listRenames(all, [other, one], { current: secondNames, isKnown })),
  });
}

/** Without the names that another member still has: it gets another one when its own rename is followed. */
function withoutUsed(names: Names, values: readonly TopologyValue[]): Names {
  const used = new Set(values.flatMap(membersOfValue));
  return new Map([...names].filter(([, name]) => !used.has(name) || names.has(name)));
}
