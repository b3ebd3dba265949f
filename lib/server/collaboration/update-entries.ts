import "server-only";
import * as Y from "yjs";
import { formatCount } from "@/lib/core/flow/format-count";
import { noteLimits } from "@/lib/core/flow/note";
import { findLastNumber, isNote, maxKeyLength } from "@/lib/core/live/note-in-map";
import { isAhead, mapsOfNotes } from "@/lib/core/live/noted-letters";
import { AppError } from "../app-error";
import { countEntries, documentLimits, limitedMaps } from "./document-state";
import type { DecodedUpdate } from "./update-cost";
import { isItem, listDeleted, type UpdatePlaces } from "./update-places";

export const tooManyChanges =
  "This flow was changed too often since it was opened. Close it in every tab for a minute, and open it again; or duplicate it.";

const tooManyPins = `A flow has at most ${formatCount(documentLimits.keys)} positions of cards.`;

const notANote = "Expected a note of an editor.";
/** Ids of letters, as editors print them. Others take long to be read, and to be named by the next notes. */
const noteKeyPattern = /^\d{1,16}[:-]\d{1,16}(?: \d{1,16}[:-]\d{1,16})*$/;

const isMapOfNotes = (name: string | null): boolean =>
  ["members", "restored-versions", ...mapsOfNotes].some((map) => map === name);

/** Throws AppError `bad_request` for what no editor writes in the text and in the maps of notes: other types, and values in values. */
export function assertContents(items: readonly Y.Item[], places: UpdatePlaces): void {
  for (const item of items) {
    const { root } = places.find(item);
    const { content } = item;
    const isPlain = root === "source" ? content instanceof Y.ContentString : content instanceof Y.ContentAny;
    if ((root === "source" || isMapOfNotes(root)) && !isPlain && !(content instanceof Y.ContentDeleted))
      throw new AppError("bad_request", notANote);
  }
}

/**
 * Throws AppError `bad_request` for new notes that no editor writes: longer ones, by which those of others are not read, and
 * numbers after which those of others are the earliest.
 */
export function assertNotes(doc: Y.Doc, update: DecodedUpdate, places: UpdatePlaces): void {
  const lastNumbers = new Map<string, number>();
  for (const item of update.structs.filter(isItem)) {
    const { root } = places.find(item);
    if (root === null || !isMapOfNotes(root) || !isAdded(doc, update, item)) continue;
    const lastNumber = lastNumbers.get(root) ?? findLastNumber(doc.getMap(root));
    lastNumbers.set(root, lastNumber);
    const values: readonly unknown[] = item.content instanceof Y.ContentAny ? item.content.arr : [];
    if (!values.every((note) => isNote(note, lastNumber))) throw new AppError("bad_request", notANote);
  }
}

/**
 * Throws AppError `too_large` for new keys of maps that are too many or too long. An item of a key that is there refers to the
 * item before instead.
 */
export function assertKeys(doc: Y.Doc, items: readonly Y.Item[]): void {
  const added = new Map<string, number>();
  for (const { parent, parentSub } of items) {
    if (typeof parent !== "string" || parentSub === null || doc.share.get(parent)?._map.has(parentSub)) continue;
    if (parentSub.length > maxKeyLength) throw new AppError("too_large", tooManyChanges);
    if (isMapOfNotes(parent) && !noteKeyPattern.test(parentSub)) throw new AppError("bad_request", notANote);
    added.set(parent, (added.get(parent) ?? 0) + 1);
  }
  for (const [name, count] of added)
    if ((doc.share.get(name)?._map.size ?? 0) + count > documentLimits.keys)
      throw new AppError("too_large", name === "pins" ? tooManyPins : tooManyChanges);
}

const tooManyNotes = `A flow has at most ${formatCount(noteLimits.count)} notes. Remove some of them.`;

/**
 * Throws AppError `too_large` for an update that adds too many entries to one of the maps that are read at each save. One that
 * adds no more than it removes is accepted, whatever the document has.
 */
export function assertEntries(doc: Y.Doc, update: DecodedUpdate, places: UpdatePlaces): void {
  const items = update.structs.filter(isItem).filter((item) => isAdded(doc, update, item));
  for (const name of limitedMaps) {
    const added = items.filter((item) => places.find(item).root === name);
    const count = countEntries(doc, name);
    if (added.length === 0 || count + added.length <= documentLimits.entries) continue;
    const removed = new Set<unknown>(added.map((item) => findReplaced(doc, item, places)));
    for (const { item } of listDeleted(doc, update.ds)) removed.add(item);
    const growth = added.length - [...removed].filter((item) => isEntry(doc, name, item)).length;
    if (growth > 0 && count + growth > documentLimits.entries)
      throw new AppError("too_large", name === "notes" ? tooManyNotes : tooManyChanges);
  }
}

/** Whether an item is new to a document, and not deleted by the update that brings it. */
const isAdded = ({ store }: Y.Doc, { ds }: DecodedUpdate, { id, length, countable }: Y.Item): boolean =>
  countable && id.clock + length > Y.getState(store, id.client) && !Y.isDeleted(ds, id);

/** What an item of a map takes the place of: an entry of the document, or another item. */
const findReplaced = (doc: Y.Doc, item: Y.Item, places: UpdatePlaces): unknown =>
  typeof item.parent === "string" && item.parentSub !== null
    ? doc.share.get(item.parent)?._map.get(item.parentSub)
    : places.findReferred(item);

const isEntry = (doc: Y.Doc, name: string, item: unknown): boolean =>
  isItem(item) && item.parentSub !== null && !item.deleted && doc.share.get(name)?._map.get(item.parentSub) === item;

/**
 * Whether notes of an update name letters that neither the document nor the update has. An editor that is asked sends them
 * together; of what others have yet to write no one can note anything.
 */
export function hasNotesAhead(doc: Y.Doc, { structs }: DecodedUpdate, places: UpdatePlaces): boolean {
  const states = new Map<number, number>();
  const stateOf = (client: number): number => states.get(client) ?? Y.getState(doc.store, client);
  const notes: Y.Item[] = [];
  for (const struct of structs) {
    const { client, clock } = struct.id;
    // What comes after a gap is not received.
    if (struct instanceof Y.Skip || clock > stateOf(client) || clock + struct.length <= stateOf(client)) continue;
    states.set(client, clock + struct.length);
    if (isItem(struct) && struct.content instanceof Y.ContentAny) notes.push(struct);
  }
  return notes.some((item) => {
    const name = mapsOfNotes.find((map) => map === places.find(item).root);
    const values: readonly unknown[] = item.content instanceof Y.ContentAny ? item.content.arr : [];
    return name !== undefined && values.some((note) => isAhead(name, [item.parentSub, note], stateOf));
  });
}
