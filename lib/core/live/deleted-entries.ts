import * as Y from "yjs";
import * as z from "zod/mini";
import type { TextRange } from "../flow/text-range";
import { readText } from "./live-document";
import { listLatest, noteInMap, sortLatest } from "./note-in-map";
import { findParts, idSchema, parseId, printId, type WrittenPart, writtenPartSchema } from "./written-parts";

/** An entry of the file, which is about to be deleted, with the character, or the end of a line, after it. */
export interface DeletedEntry extends TextRange {
  /** How users know it. */
  title: string;
  /** Whether it is a section of the file, and the title its key. */
  isSection?: boolean | undefined;
}

const storedSchema = z.object({
  /** Its last letter, and the one after it, which is deleted as well. Its first letter is the key of the map. */
  end: idSchema,
  last: idSchema,
  title: z.string(),
  /** Whether it was deleted as a text: what names it is left as it is. */
  isTyped: z.optional(z.boolean()),
  isSection: z.optional(z.boolean()),
  /** Up to which clock it knew what each document had written there. */
  known: z.record(z.string(), z.int()),
  /** All of its letters, in their order; missing: there are too many parts. */
  parts: z.optional(z.array(writtenPartSchema)),
  /** The latest notes have the largest numbers. */
  number: z.optional(z.number()),
});

/** `by`: the document that deleted it. */
export type StoredEntry = z.infer<typeof storedSchema> & { first: Y.ID; by: number };

/** Deleted entries by the id of their first letter: what others write inside of them at the same time is in no entry. */
const entriesOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap("deleted");

const maxEntries = 300;
/** Of an entry whose letters are noted. */
const maxParts = 100;
/** Several people who come back may bring more than one keeps. Of more only the latest are read. */
const maxRead = 600;
/** How many entries are read of one place: an entry of the file is in few others, and few were written there again. */
const maxDepth = 32;

/** The deleted entries of which the notes are read, by the ids of their first letters. */
export const listEntries = (doc: Y.Doc): [string, StoredEntry][] => {
  const entries = listLatest(entriesOf(doc), maxRead).flatMap(([key, value]): [string, StoredEntry][] => {
    const entry = readStored(key, value, entriesOf(doc)._map.get(key)?.id.client);
    return entry ? [[key, entry]] : [];
  });
  return entries.length <= maxDepth ? entries : withoutCrowded(doc, entries);
};

/** The entries, latest first, without those of places in which there are many later ones. */
function withoutCrowded(doc: Y.Doc, entries: readonly [string, StoredEntry][]): [string, StoredEntry][] {
  const spans = listSpans(doc, entries);
  const edges = [...new Set([...spans.values()].flat())].toSorted((a, b) => a - b);
  const cells = new Map(edges.map((edge, index) => [edge, index]));
  const depths = edges.map(() => 0);
  const read = new Set(
    sortLatest(entries).filter(([key]) => {
      const [start = 0, end = 0] = (spans.get(key) ?? []).map((edge) => cells.get(edge));
      const isCrowded = depths.slice(start, end + 1).some((depth) => depth >= maxDepth);
      for (let cell = start; !isCrowded && cell <= end; cell++) depths[cell] = (depths[cell] ?? 0) + 1;
      return !isCrowded;
    }),
  );
  return entries.filter((entry) => read.has(entry));
}

/** From where to where each entry is read, in items: to the next letter that is left. */
function listSpans(doc: Y.Doc, entries: readonly [string, StoredEntry][]): Map<string, [number, number]> {
  const places = new Map<unknown, number>();
  const ends: number[] = [];
  let place = 0;
  for (let item = doc.getText("source")._start; item; item = item.right) {
    places.set(item, place++);
    if (!item.deleted) while (ends.length < place) ends.push(place - 1);
  }
  const { store } = doc;
  const placeOf = (id: Y.ID): number =>
    id.clock < Y.getState(store, id.client) ? (places.get(Y.getItem(store, id)) ?? -1) : -1;
  return new Map(
    entries.map(([key, { first, last }]) => {
      const [start, end] = [placeOf(first), placeOf(last)];
      // Where the last letter does not follow, all of the rest is read.
      return [key, [start, end < start ? place : (ends[end] ?? place)]];
    }),
  );
}

/** Notes which entries a change is about to delete, in its transaction. Ranges are of the text before. `isTyped`: as a text. */
export function noteDeleted(doc: Y.Doc, entries: readonly DeletedEntry[], isTyped = false): void {
  const notes = new Map<string, object>();
  const text = entries.length > 0 ? readText(doc) : "";
  const after = (end: number): number => (text.startsWith("\r\n", end - 2) ? 2 : 1);
  for (const { from: start, to: end, title, isSection } of entries) {
    const parts = findParts(doc, { from: start, to: end });
    const [first, last] = [parts[0], parts.at(-1)];
    const beforeLast = findParts(doc, { from: end - after(end) - 1, to: end - after(end) })[0];
    if (!first || !last || !beforeLast) continue;
    const known: Record<string, number> = {};
    for (const { client, clock } of parts.map((part) => part.end)) known[client] = Math.max(known[client] ?? 0, clock);
    notes.set(printId(first.start), {
      end: beforeLast.end,
      last: last.end,
      title: title.slice(0, 100),
      isTyped,
      ...(isSection && { isSection }),
      by: doc.clientID,
      known,
      ...(parts.length <= maxParts && { parts }),
    });
  }
  noteInMap(entriesOf(doc), maxEntries, notes);
}

/** What was deleted lately with what names it: how users know it, and an id with which its document noted that. */
export const readDeleted = (doc: Y.Doc): { title: string; key: string }[] =>
  listEntries(doc).flatMap(([entry, { title, isTyped }]) => {
    const id = entriesOf(doc)._map.get(entry)?.id;
    return id && !isTyped ? { title, key: printId(id) } : [];
  });

/** The key of the last deleted entry with this title, and the document that deleted it; null: none noted that. */
export function findDeletion(doc: Y.Doc, title: string): { entry: string; by: number } | null {
  const [latest] = sortLatest(listEntries(doc).filter(([, entry]) => entry.title === title));
  return latest ? { entry: latest[0], by: latest[1].by } : null;
}

/** Letters that are in the place of a deleted entry, and are no part of it. */
const keptOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap("kept");

export function keepLetters(doc: Y.Doc, parts: readonly WrittenPart[]): void {
  const notes = parts.map((part): [string, object] => [`${printId(part.start)} ${printId(part.end)}`, part]);
  noteInMap(keptOf(doc), maxEntries, new Map(notes));
}

/** All of these letters. */
export const listKept = (doc: Y.Doc): WrittenPart[] =>
  listLatest(keptOf(doc), maxRead).flatMap(([, value]) => writtenPartSchema.safeParse(value).data ?? []);

/** Whether the document has notes of deleted entries; without any, `findLost` finds nothing. */
export const hasDeleted = (doc: Y.Doc): boolean => entriesOf(doc)._map.size > 0;

/** What was read of stored notes, which never change. */
const readNotes = new WeakMap<object, z.infer<typeof storedSchema> | undefined>();

function readNote(value: unknown): z.infer<typeof storedSchema> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!readNotes.has(value)) readNotes.set(value, storedSchema.safeParse(value).data);
  return readNotes.get(value);
}

function readStored(key: string, value: unknown, by = 0): StoredEntry | null {
  const data = readNote(value);
  const first = parseId(key);
  return data && first ? { ...data, by, first } : null;
}
