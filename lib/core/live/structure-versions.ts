import * as Y from "yjs";
import * as z from "zod/mini";
import { groupBy } from "../flow/group-by";
import { findJsonAs } from "../flow/parse-json";
import { readDeleted } from "./deleted-entries";
import { isMerged, type Knowing, listKnownNotes, listSuperseded } from "./known-notes";
import { listLatest, noteInMap, noteSizes } from "./note-in-map";
import { mapsOfNotes } from "./noted-letters";
import {
  findLetters,
  isInText,
  parseId,
  printId,
  readPlaces,
  type WrittenPart,
  writtenPartSchema,
} from "./written-parts";

/** The members of one scope of the flow, as someone wrote them: a new version replaces those that its author knew. */
export interface StructureVersion extends Knowing {
  /** The ids of its first letters: whoever writes the same text at the same place writes the same version. */
  key: string;
  /** The id of the letter after the name of what has the members; versions of the flow itself, and of earlier releases, have none. */
  nameEnd?: string | undefined;
  /** The members before. */
  before: string;
  /** New names of declarations by their old ones. */
  renames: Readonly<Record<string, string>>;
  /** Names that its author deleted with their declarations. */
  removed: readonly string[];
  /** The document that wrote it; of a merged version the smallest one. */
  by: number;
  /** What was written, as ids of the text. */
  parts: readonly WrittenPart[];
  /** The new declarations that its names mean, by the key of the name; versions of earlier releases have none. */
  refs?: Readonly<Record<string, string>> | undefined;
}

/** A name that someone gave to a new declaration. */
export interface DeclaredName {
  /** The id of its first letter. */
  key: string;
  name: string;
  /** The name as it is written in the file. */
  written: string;
  by: number;
  /** What its author called it, where someone else gave the same name at the same time; and that name's `key`. */
  was?: { name: string; key: string } | undefined;
  /** The `key` of the name that its author replaced with it. */
  replaces?: string | undefined;
  /** The name that its author replaced with it. */
  old?: string | undefined;
  /** Whether its author's editor knows of that: what this document writes from then on means the other one. */
  isSeen?: boolean | undefined;
}

/** Maximum number of names that a version says the meaning of, and of characters that name a scope. */
const [maxRefs, maxScope] = [200, 4_000];
/** Maximum number of characters of a printed id. */
const maxId = 40;

const versionSchema = z.object({
  scope: z.string().check(z.maxLength(maxScope)),
  nameEnd: z.optional(z.string().check(z.maxLength(maxId))),
  before: z.string(),
  knows: z.array(z.string()),
  renames: z.record(z.string(), z.string()),
  removed: z.array(z.string()),
  by: z.int(),
  parts: z.array(writtenPartSchema),
  refs: z.optional(z.record(z.string(), z.string())),
});
const nameSchema = z.object({
  name: z.string(),
  written: z.string(),
  by: z.int(),
  was: z.optional(z.object({ name: z.string(), key: z.string() })),
  replaces: z.optional(z.string()),
  old: z.optional(z.string()),
  isSeen: z.optional(z.boolean()),
});

const versionsOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap("structures");
const namesOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap("names");
const variablesOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap("variables");
const membersOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap("members");

/** Whether a transaction brought notes of what someone did to the structure: without any there is nothing to settle. */
export function bringsNotes({ doc, changed }: Y.Transaction): boolean {
  const types = new Set<unknown>(changed.keys());
  return mapsOfNotes.some((name) => types.has(doc.getMap(name)));
}

/** Whether a document has such notes. */
export const hasNotes = (doc: Y.Doc): boolean => mapsOfNotes.some((name) => doc.getMap(name)._map.size > 0);

const [maxVersions, maxNames, maxMembers] = [100, 100, 12];

/** Several people who come back may bring more than one keeps. Of more only the latest are read. */
const maxRead = 200;
/** Maximum number of values read of all entries together. Of more only the latest are read. */
const maxValues = 30_000;
/** A text counts as a value for each so many characters. */
const charactersPerValue = 32;

const membersSchema = z.object({ members: z.string() });

/** The members that the latest versions of all scopes have, as they were noted, by the keys of the versions. */
export function listNotedMembers(doc: Y.Doc): Map<string, string> {
  const noted = listLatest(membersOf(doc), maxMembers, { max: maxValues, measure: measureMembers });
  return new Map(
    noted.flatMap(([key, value]) => {
      const { data } = membersSchema.safeParse(value);
      return data ? [[key, data.members]] : [];
    }),
  );
}

const measureMembers = (value: unknown): number =>
  Math.ceil((membersSchema.safeParse(value).data?.members.length ?? 0) / charactersPerValue);

const readVersions = new WeakMap<object, StructureVersion | undefined>();

/** The versions of all scopes, each of a scope under the name that its declaration has now. */
export function listVersions(doc: Y.Doc): StructureVersion[] {
  const versions = readAll(versionsOf(doc), readVersions, (key, value) => {
    const { data } = versionSchema.safeParse(value);
    return data && { key, ...data, refs: Object.keys(data.refs ?? {}).length <= maxRefs ? data.refs : undefined };
  });
  const names = findNamesBefore(doc, new Set(versions.flatMap(({ nameEnd }) => nameEnd ?? [])));
  return versions.map((version) => {
    const name = names.get(version.nameEnd ?? "");
    return name === undefined ? version : withScope(version, toScopeOf(name, version.scope));
  });
}

/** The name that someone gave to what ends before each letter. Letters without one are missing: its name is as old as the document. */
function findNamesBefore(doc: Y.Doc, letters: ReadonlySet<string>): Map<string, string> {
  const isGiven = ({ old, was, written }: DeclaredName): boolean =>
    written !== "" && (old !== undefined || was !== undefined);
  const given = listDeclaredNames(doc).filter(isGiven);
  if (given.length === 0 || letters.size === 0) return new Map();
  const places = findLetters(doc, [...letters, ...given.map(({ key }) => key)]);
  const ends = new Map(
    given.flatMap((name) => {
      const start = places.get(name.key);
      return start === undefined ? [] : [[start + name.written.length, { ...name, start }]];
    }),
  );
  return new Map(
    [...letters].flatMap((letter) => {
      let next = ends.get(places.get(letter) ?? -1);
      if (!next) return [];
      let { name } = next;
      // Until one of two names is chosen they are written one behind the other, and are read as one.
      for (next = ends.get(next.start); next && name.length < maxScope; next = ends.get(next.start))
        name = next.name + name;
      return [[letter, name]];
    }),
  );
}

/** The same version in another scope, by that: what is read of versions is remembered for each object. */
const movedVersions = new WeakMap<StructureVersion, Map<string, StructureVersion>>();

function withScope(version: StructureVersion, scope: string): StructureVersion {
  if (scope === version.scope) return version;
  const moved = movedVersions.get(version) ?? new Map<string, StructureVersion>();
  movedVersions.set(version, moved);
  const one = moved.get(scope) ?? { ...version, scope };
  moved.set(scope, one);
  return one;
}

const readNames = new WeakMap<object, DeclaredName | undefined>();

export const listDeclaredNames = (doc: Y.Doc): DeclaredName[] => listNames(namesOf(doc));

/** The names that people gave to variables. */
export const listVariableNames = (doc: Y.Doc): DeclaredName[] => listNames(variablesOf(doc));

const listNames = (map: Y.Map<unknown>): DeclaredName[] =>
  readAll(map, readNames, (key, value) => {
    const { data } = nameSchema.safeParse(value);
    return data && { key, ...data };
  });

/** `done`: what was read of stored values, which never change; undefined: it is no such entry. */
function readAll<T extends object>(
  map: Y.Map<unknown>,
  done: WeakMap<object, T | undefined>,
  read: (key: string, value: object) => T | undefined,
): T[] {
  return listLatest(map, maxRead, { max: maxValues, measure }).flatMap(([key, value]) => {
    if (!isObject(value)) return [];
    if (!done.has(value)) done.set(value, isTooLong(value) ? undefined : read(key, value));
    return done.get(value) ?? [];
  });
}

const isTooLong = (value: object): boolean => Object.values(value).some((field) => countIn(field) > noteSizes.values);

function countIn(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}

const sizes = new WeakMap<object, number>();

/** The number of values in the lists of an entry. One that is too long is not read. */
function measure(entry: unknown): number {
  if (!isObject(entry)) return 0;
  const size = sizes.get(entry) ?? (isTooLong(entry) ? 0 : countInside(Object.values(entry).filter(isObject)));
  sizes.set(entry, size);
  return size;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function countInside(value: object): number {
  let count = 0;
  const inners: readonly unknown[] = Array.isArray(value) ? value : Object.entries(value).flat();
  for (const inner of inners)
    if (typeof inner === "string") count += Math.max(1, Math.ceil(inner.length / charactersPerValue));
    else count += isObject(inner) ? 1 + countInside(inner) : 1;
  return count;
}

/** The versions of each scope that no other version of this scope replaced. */
export function listLatestVersions(versions: readonly StructureVersion[]): Map<string, StructureVersion[]> {
  const superseded = listSuperseded(versions);
  return groupBy(
    versions.filter((version) => !superseded.has(version)),
    ({ scope }) => scope,
  );
}

/** Versions of one scope that are in the text and of which none replaced another, the one that stays first. */
export function listRivalVersions(doc: Y.Doc): StructureVersion[][] {
  const placed: Placed = { declared: listDeclaredNames(doc), read: once(() => readPlaces(doc)) };
  return [...listLatestVersions(listVersions(doc))].flatMap(([scope, unknown]) => {
    if (unknown.length < 2) return [];
    // What is in the text no more has been settled.
    const latest = unknown.filter(({ parts }) => parts.length === 0 || isInText(doc, parts));
    if (latest.length < 2) return [];
    const ofOne = [...groupByDeclaration(placed, scope, latest).values()].filter(({ length }) => length > 1);
    return ofOne.map((versions) => versions.toSorted(compareVersions));
  });
}

/** The new names of a document, and where letters are in its text, which is read at most once. */
interface Placed {
  declared: readonly DeclaredName[];
  read(): ReturnType<typeof readPlaces>;
}

function once<T>(read: () => T): () => T {
  let result: { value: T } | undefined;
  return () => {
    result ??= { value: read() };
    return result.value;
  };
}

/**
 * The latest versions of each scope of which the text may have nothing, or something elsewhere, where their members are noted.
 * People who merge versions at the same time, without having the same ones, may each take out what the other one keeps; and of
 * three, whose versions each gave way to another one, none is left.
 */
export function listLostVersions(doc: Y.Doc): StructureVersion[][] {
  const versions = listVersions(doc);
  const members = listNotedMembers(doc);
  const merged = new Set(versions.filter(({ key }) => isMerged(key)).map(({ scope }) => scope));
  return [...listLatestVersions(versions)].flatMap(([scope, latest]) => {
    if (!(merged.has(scope) || latest.length > 1) || latest.some(({ parts }) => parts.length === 0)) return [];
    const [first, ...others] = latest.filter(({ key }) => members.has(key)).toSorted(compareVersions);
    if (!first) return [];
    // What is taken out again and again is left to the people.
    const same = versions.filter((one) => one.scope === scope && members.get(one.key) === members.get(first.key));
    return same.length > maxRepeated ? [] : [[first, ...others]];
  });
}

/** How often the same members of a scope may be noted before they are no longer put back. */
const maxRepeated = 5;

/**
 * Versions of a scope by the declaration in which they are: its letter in the text, where several people declared something
 * under its name.
 */
function groupByDeclaration(
  { declared, read }: Placed,
  scope: string,
  versions: readonly StructureVersion[],
): Map<string | null, StructureVersion[]> {
  const [owner] = readOwner(scope);
  const given = declared.filter(({ name, was }) => owner !== undefined && [name, was?.name].includes(owner));
  if (given.length < 2) return new Map([[null, [...versions]]]);
  const findPlace = read();
  const letters = given.flatMap(({ key }) => {
    const id = parseId(key);
    const place = id && findPlace([{ start: id, end: id }]);
    return place === null ? [] : [{ key, place }];
  });
  if (letters.length < 2) return new Map([[null, [...versions]]]);
  const declarations = letters.toSorted((a, b) => b.place - a.place);
  return groupBy(versions, ({ parts }) => {
    const offset = findPlace(parts) ?? -1;
    return declarations.find(({ place }) => place <= offset)?.key ?? null;
  });
}

/** The name of what has the members, and of the field that lists them where it has several; empty for the flow itself. */
const readOwner = (scope: string): readonly string[] => findJsonAs(scope, z.array(z.string())) ?? [];

/** The version of the document with the smaller id stays. */
export const compareVersions = (a: StructureVersion, b: StructureVersion): number =>
  a.by - b.by || (a.key < b.key ? -1 : 1);

/** The versions of all scopes of a declaration, given by its name and its letter. */
export function listVersionsOf(doc: Y.Doc, { name, key }: Pick<DeclaredName, "name" | "key">): StructureVersion[] {
  const own = groupBy(listVersions(doc), ({ scope }) => scope);
  const placed: Placed = { declared: listDeclaredNames(doc), read: once(() => readPlaces(doc)) };
  return [...own].flatMap(([scope, versions]) =>
    readOwner(scope)[0] === name ? (groupByDeclaration(placed, scope, versions).get(key) ?? []) : [],
  );
}

/** The same scope of a declaration that has another name. */
export const toScopeOf = (name: string, scope: string): string => JSON.stringify([name, ...readOwner(scope).slice(1)]);

/** Stores a version in the transaction that wrote it; `members`: as a text, where they are not those that were noted before. */
export function noteVersion(doc: Y.Doc, { key, ...version }: StructureVersion, members?: string): void {
  const refs = members === undefined ? version.refs : listRefs(doc, members);
  noteInMap(
    versionsOf(doc),
    maxVersions,
    new Map([[key, { ...version, refs: refs && Object.keys(refs).length > 0 ? refs : undefined }]]),
  );
  if (members !== undefined) noteInMap(membersOf(doc), maxMembers, new Map([[key, { members }]]));
}

/**
 * The names in these members that several new declarations have, or had, with the keys of the names that are meant. Of one name
 * that several have it is the one of the first document.
 */
function listRefs(doc: Y.Doc, members: string): Record<string, string> {
  const declared = listDeclaredNames(doc);
  const sharers = groupBy(
    declared.flatMap(({ name, was }) => (was ? [name, was.name] : [name])),
    (name) => name,
  );
  const isMeant = ({ name }: DeclaredName): boolean =>
    (sharers.get(name)?.length ?? 0) > 1 && members.includes(JSON.stringify(name).slice(1, -1));
  const meant = declared.filter(isMeant);
  if (meant.length === 0) return {};
  const letters = findLetters(doc, new Set(meant.map(({ key }) => key)));
  const left = meant.filter(({ key }) => letters.has(key)).toSorted((a, b) => b.by - a.by);
  return Object.fromEntries(left.map(({ name, key }) => [name, key]));
}

/** Of several names in the place of one: a name that a person gave comes before those that editors gave, else by its key. */
export function compareGivenNames(a: DeclaredName, b: DeclaredName): number {
  const [first, second] = [a, b].map(({ key }) => Number(isMerged(key)));
  return (first ?? 0) - (second ?? 0) || (a.key < b.key ? -1 : 1);
}

export const noteName = (doc: Y.Doc, { key, ...name }: DeclaredName): void =>
  noteInMap(namesOf(doc), maxNames, new Map([[key, name]]));

export const noteVariable = (doc: Y.Doc, { key, ...name }: DeclaredName): void =>
  noteInMap(variablesOf(doc), maxNames, new Map([[key, name]]));

/** Maximum number of parts named in the key of a version. */
const maxKeyParts = 100;

/** Null: nothing was written. */
export const toVersionKey = (parts: readonly WrittenPart[]): string | null =>
  parts.length > 0
    ? parts
        .slice(0, maxKeyParts)
        .map(({ start }) => printId(start))
        .join(" ")
    : null;

/** The key of a version that has no letter. */
export const toKeyOfNothing = (doc: Y.Doc): string => `${doc.clientID}-${Y.getState(doc.store, doc.clientID)}`;

/** Everything that a version knows that is written, or written again, now under this key. */
export const listKnown = (doc: Y.Doc, key: string): string[] =>
  listKnownNotes(doc, key, {
    versions: listVersions(doc),
    others: [...listLatest(namesOf(doc), maxRead).map(([name]) => name), ...readDeleted(doc).map((entry) => entry.key)],
  });
