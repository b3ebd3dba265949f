import * as Y from "yjs";
import type { TextRange } from "../flow/text-range";
import { listEntries, listKept, type StoredEntry } from "./deleted-entries";
import { isOwnClient } from "./own-clients";
import { listGone } from "./restored-entries";
import { isShared } from "./shared-text";
import { hasLetter, parseId, printId, type WrittenPart } from "./written-parts";

/** What someone wrote in an entry while someone else deleted it. */
export interface LostText {
  /** Where it is in the text; null: someone has taken it out. */
  range: TextRange | null;
  /** The document that wrote it. */
  client: number;
  text: string;
  /** Of the entry. */
  title: string;
  /** Whether the entry is a section of the file. */
  isSection?: true;
  /** The document that deleted the entry. */
  by: number;
  /** Its key. */
  entry: string;
}

/** What is left in deleted entries, and is not kept. */
export const findLost = (doc: Y.Doc): LostText[] => toLost(findLeft(doc));

/** What is left in a deleted entry. */
export interface LeftText extends LostText {
  /** Whether its letters are kept themselves, or because of the ones around; null: they are lost. */
  kept: "itself" | "beside" | null;
}

/** What is left in deleted entries, in the order of the text in each. `noted`: letters that are kept. */
export const findLeft = (doc: Y.Doc, noted = listKept(doc)): LeftText[] => listInside(doc, leftText, noted);

const leftText = (item: Y.Item, entry: StoredEntry): string => (item.deleted ? "" : unknownText(item, entry));

/** An end of a line that was written anew after a deleted entry, with what was written before it since. */
export interface LateEnd {
  /** In the order of the text. */
  ranges: TextRange[];
  /** Where what someone wrote after the old end begins, which is before it. */
  after: number;
}

/**
 * The first end of a line that comes after what others wrote after the one in its place. `rest`: how many letters behind deleted
 * entries are looked at, in one call or several.
 */
export function findLateEnd(doc: Y.Doc, rest = { letters: maxLetters }): LateEnd | null {
  for (const [, entry] of listEntries(doc)) {
    const late = Y.getState(doc.store, entry.last.client) > entry.last.clock ? readLateEnd(doc, entry, rest) : null;
    if (!late) continue;
    const offsets = readOffsets(doc);
    const first = toRange(late.first, offsets);
    const ranges = late.late.flatMap((item) => toRange(item, offsets) ?? []);
    if (first && ranges.length > 0) return { ranges, after: first.from };
  }
  return null;
}

/** Notes may be made of any number of letters, each with all of the same ones behind it. */
export const maxLetters = 100_000;

/** `late`: the new end, with what is before it and belongs there. `first`: of what others wrote after the old end. */
function readLateEnd(
  { store }: Y.Doc,
  { last, by }: StoredEntry,
  rest: { letters: number },
): { late: Y.Item[]; first: Y.Item } | null {
  const old: unknown = Y.getItem(store, last);
  if (!(old instanceof Y.Item) || !old.deleted) return null;
  const seen = new Set<unknown>([old]);
  const left: Y.Item[] = [];
  for (let item = old.right; item?.origin && seen.has(Y.getItem(store, item.origin)); item = item.right) {
    rest.letters -= item.length;
    if (rest.letters < 0) return null;
    seen.add(item);
    if (item.deleted) continue;
    left.push(item);
    if (item.id.client === by && Y.compareIDs(item.origin, last) && isLineEnd(textOf(item)))
      return separateLate(store, left, item);
  }
  return null;
}

const isLineEnd = (text: string): boolean => text === "\n" || text === "\r\n";

/** Whoever knew of the new end wrote before it, and has it there: what begins where it does was written by others. */
function separateLate(
  store: Y.Doc["store"],
  left: readonly Y.Item[],
  end: Y.Item,
): { late: Y.Item[]; first: Y.Item } | null {
  const { origin, rightOrigin } = end;
  const others = new Set<unknown>();
  for (const item of left) {
    const isOfEnd = item.id.client === end.id.client || isShared(item.id);
    const isBeside = Y.compareIDs(item.origin, origin) && Y.compareIDs(item.rightOrigin, rightOrigin);
    if ((isBeside && !isOfEnd) || (item.origin && others.has(Y.getItem(store, item.origin)))) others.add(item);
  }
  const start = left.findIndex((item) => others.has(item));
  const first = left[start];
  return first ? { late: left.slice(start).filter((item) => !others.has(item)), first } : null;
}

/** Returns which of these letters, given by their printed ids, are in deleted entries, whoever wrote them. */
export function findLettersInDeleted(doc: Y.Doc, keys: readonly string[]): Set<string> {
  const inside = new Set<string>();
  const ids = keys.flatMap((key) => parseId(key) ?? []);
  if (ids.length === 0) return inside;
  for (const [, entry] of listEntries(doc))
    for (const item of listBetween(doc, entry)) for (const id of ids) if (holds(item, id)) inside.add(printId(id));
  return inside;
}

/** Where what is left after deleted sections begins, with the titles of the sections. */
export function listAfterSections(doc: Y.Doc): { offset: number; title: string }[] {
  const rest = { letters: maxLetters };
  const next = listEntries(doc).flatMap(([, entry]) => {
    const item = entry.isSection ? findAfter(doc, entry, rest) : null;
    return item ? { item, title: entry.title } : [];
  });
  const offsets = next.length > 0 ? readOffsets(doc) : new Map<Y.Item, number>();
  return next.flatMap(({ item, title }) => {
    const offset = offsets.get(item);
    return offset === undefined ? [] : { offset, title };
  });
}

/** The first item after a deleted entry; null: something is left of the entry, or nothing comes after it. */
function findAfter({ store }: Y.Doc, { first, end, last }: StoredEntry, rest: { letters: number }): Y.Item | null {
  const isThere = [first, end, last].every(({ client, clock }) => clock < Y.getState(store, client));
  let item: unknown = isThere ? Y.getItem(store, first) : null;
  for (let isInside = true; item instanceof Y.Item && (isInside || item.deleted); item = item.right) {
    rest.letters -= item.length;
    if (!item.deleted || rest.letters < 0) return null;
    if (holds(item, last)) isInside = false;
  }
  return item instanceof Y.Item ? item : null;
}

/** What a transaction took out of this document's own letters in deleted entries. */
export function findTaken(transaction: Y.Transaction): LostText[] {
  const { doc } = transaction;
  return toLost(listInside(doc, (item, entry) => takenText(item, entry, transaction), listKept(doc)));
}

/** What this document wrote in an entry, unknown to the document that deleted it. `from`, `to`: of the text before a transaction. */
export interface OwnText extends TextRange {
  title: string;
  by: number;
  /** The key of the entry. */
  entry: string;
  /** What this document had deleted of the entry: see `listGone`. */
  gone: TextRange[] | null;
  part: WrittenPart;
}

/** This document's own letters that a transaction brought into deleted entries, where they were before it. */
export function findOwnBefore(transaction: Y.Transaction): OwnText[] {
  const { doc, beforeState, deleteSet } = transaction;
  const own = new Map<Y.Item, Omit<OwnText, "from" | "to" | "part">>();
  const noted = listKept(doc);
  for (const [key, entry] of listEntries(doc)) {
    if (isOwnClient(doc, entry.by)) continue;
    const { title, by } = entry;
    const toKept = readKept(doc, entry, noted);
    let text: Omit<OwnText, "from" | "to" | "part"> | null = null;
    for (const item of listBetween(doc, entry)) {
      const kept = toKept(item);
      if (kept !== null || !isOwnClient(doc, item.id.client) || unknownText(item, entry) === "") continue;
      text ??= { title, by, entry: key, gone: listGone(transaction, entry) };
      own.set(item, text);
    }
  }
  if (own.size === 0) return [];
  const found: OwnText[] = [];
  let offset = 0;
  for (let item = doc.getText("source")._start; item; item = item.right) {
    const { client, clock } = item.id;
    const isKnown = item.countable && clock < (beforeState.get(client) ?? 0);
    // Of a deleted item without a place in this transaction nothing was in the text.
    if (!isKnown || (item.deleted && !Y.isDeleted(deleteSet, item.id))) continue;
    const entry = own.get(item);
    const part = { start: item.id, end: item.lastId };
    if (entry) found.push({ ...entry, from: offset, to: offset + item.length, part });
    offset += item.length;
  }
  return found;
}

const toLost = (left: readonly LeftText[]): LostText[] =>
  left.flatMap(({ kept, ...lost }) => (kept === null ? lost : []));

/** What is in several entries is told of one of them, in which it is not kept if there is one. */
function listInside(
  doc: Y.Doc,
  read: (item: Y.Item, entry: StoredEntry) => string,
  noted: readonly WrittenPart[],
): LeftText[] {
  const found = new Map<Y.Item, Omit<LeftText, "range">>();
  for (const [key, entry] of listEntries(doc)) {
    const toKept = readKept(doc, entry, noted);
    for (const item of listBetween(doc, entry)) {
      const kept = toKept(item);
      const known = found.get(item);
      const text = known && (known.kept === null || kept !== null) ? "" : read(item, entry);
      if (text === "") continue;
      found.delete(item);
      // What has the same id for all is no one's.
      const client = isShared(item.id) ? 0 : item.id.client;
      const isSection = entry.isSection === true && { isSection: true as const };
      found.set(item, { client, text, title: entry.title, ...isSection, by: entry.by, entry: key, kept });
    }
  }
  const offsets = found.size > 0 ? readOffsets(doc) : new Map<Y.Item, number>();
  return [...found].map(([item, left]) => ({ ...left, range: toRange(item, offsets) }));
}

const textOf = ({ content }: Y.Item): string => (content instanceof Y.ContentString ? content.str : "");

function takenText(item: Y.Item, entry: StoredEntry, { doc, deleteSet }: Y.Transaction): string {
  const { client } = item.id;
  const isOwn = isOwnClient(doc, client) && !isOwnClient(doc, entry.by);
  if (!isOwn || !item.deleted || !Y.isDeleted(deleteSet, item.id)) return "";
  return unknownText(item, entry);
}

/** What was not known where the entry was deleted. */
const unknownText = (item: Y.Item, { known }: StoredEntry): string =>
  textOf(item).slice(Math.max(0, (known[item.id.client] ?? -1) + 1 - item.id.clock));

/**
 * Returns whether items are kept, which are given one after the other as they are in the place of an entry. Whatever is written
 * after kept letters, by any document, is in what is kept. What was known when the entry was deleted is in the entry.
 */
function readKept(
  { store }: Y.Doc,
  entry: StoredEntry,
  noted: readonly WrittenPart[],
): (item: Y.Item) => LeftText["kept"] {
  const kept = new Set<unknown>();
  const isNoted = (id: Y.ID): boolean => !isKnownIn(entry, id) && hasLetter(noted, id);
  return (item) => {
    const { id, origin } = item;
    if (noted.length === 0 || isKnownIn(entry, id)) return null;
    const isItself = hasLetter(noted, id);
    const isBeside = origin && (isNoted(origin) || (kept.size > 0 && kept.has(Y.getItem(store, origin))));
    if (!isItself && !isBeside) return null;
    kept.add(item);
    return isItself ? "itself" : "beside";
  };
}

const isKnownIn = ({ known }: StoredEntry, { client, clock }: Y.ID): boolean => clock <= (known[client] ?? -1);

const isDeleted = (store: Y.Doc["store"], id: Y.ID): boolean => {
  const item: unknown = Y.getItem(store, id);
  return !(item instanceof Y.Item) || item.deleted;
};

/** Whether something is left of what was there when an entry is said to have been deleted: no editor deletes a part of one. */
function hasKnownLeft(first: Y.Item | null, entry: StoredEntry): boolean {
  for (let item = first; item; item = item.right) {
    if (!item.deleted && isKnownIn(entry, item.id)) return true;
    if (holds(item, entry.last)) return false;
  }
  return false;
}

/** What is in the place of an entry, from its first letter on. */
function* listBetween(doc: Y.Doc, entry: StoredEntry): Generator<Y.Item> {
  const { store } = doc;
  const ids = [entry.first, entry.end, entry.last];
  if (ids.some(({ client, clock }) => Y.getState(store, client) <= clock)) return;
  // An editor notes what it deletes. What is still there, or was brought back, is no deleted entry.
  if (!ids.every((id) => isDeleted(store, id))) return;
  const start: unknown = Y.getItem(store, entry.first);
  let item = start instanceof Y.Item ? start : null;
  if (hasKnownLeft(item, entry)) return;
  const kept = new Set<unknown>();
  for (let isInside = true; item && isInside; item = item.right) {
    isInside = !holds(item, entry.last);
    const { origin } = item;
    // A field that was added after this one, in braces, and its value.
    const isAdded = isBegunAt(item, entry.end) && textOf(item).startsWith(",");
    if (isAdded || (origin && kept.size > 0 && kept.has(Y.getItem(store, origin)))) kept.add(item);
    else yield item;
  }
  // Fields that were added at its end. Whoever knew that it was deleted added them after what is left.
  let end = entry.last;
  for (; item && (item.deleted || isBegunAt(item, end)); item = item.right) {
    if (item.deleted) continue;
    const last: Y.Item = lastPart(item);
    for (; item !== last && item.right; item = item.right) yield item;
    yield item;
    end = item.lastId;
  }
}

/** Whether a form made this insertion right after a letter that it saw. */
const isBegunAt = ({ id, origin }: Y.Item, letter: Y.ID): boolean =>
  isShared(id) && id.clock === 0 && origin !== null && Y.compareIDs(origin, letter);

/** The last part of an insertion, among the parts of which others may have written. */
function lastPart(item: Y.Item): Y.Item {
  const { client } = item.id;
  let last = item;
  for (let right = item.right; right && last.id.clock + last.length < stateOf(item); right = right.right)
    if (right.id.client === client) last = right;
  return last;
}

const stateOf = ({ id: { client }, parent }: Y.Item): number =>
  parent instanceof Y.AbstractType && parent.doc ? Y.getState(parent.doc.store, client) : 0;

const holds = ({ id, length }: Y.Item, { client, clock }: Y.ID): boolean =>
  id.client === client && id.clock <= clock && clock < id.clock + length;

/** Where the items of the text are that are left. */
function readOffsets(doc: Y.Doc): Map<Y.Item, number> {
  const offsets = new Map<Y.Item, number>();
  let offset = 0;
  for (let item = doc.getText("source")._start; item; item = item.right) {
    if (item.deleted || !item.countable) continue;
    offsets.set(item, offset);
    offset += item.length;
  }
  return offsets;
}

function toRange(item: Y.Item, offsets: ReadonlyMap<Y.Item, number>): TextRange | null {
  const offset = offsets.get(item);
  return offset === undefined ? null : { from: offset, to: offset + item.length };
}
