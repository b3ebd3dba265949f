import * as Y from "yjs";
import type { TextChange, TextRange } from "../flow/text-range";
import { isOwnClient } from "./own-clients";

/** Ids of documents are below; ids from here on name what was written instead of who wrote it. */
export const firstSharedClient = 2 ** 32;

/** Whether an insertion was made by `writeSharedText`. */
export const isShared = ({ client }: Y.ID): boolean => client >= firstSharedClient;

/** Whether the letter at an offset of the text was inserted by `writeSharedText`. */
export function isSharedAt(doc: Y.Doc, offset: number): boolean {
  let rest = offset;
  for (let item = doc.getText("source")._start; item; item = item.right) {
    if (item.deleted || !item.countable) continue;
    if (rest < item.length) return isShared(item.id);
    rest -= item.length;
  }
  return false;
}

/** Whether something in a range of the text was written with this document. */
export function isWrittenIn(doc: Y.Doc, { from: start, to: end }: TextRange): boolean {
  let offset = 0;
  for (let item = doc.getText("source")._start; item && offset < end; item = item.right) {
    if (item.deleted || !item.countable) continue;
    offset += item.length;
    if (offset > start && isOwnClient(doc, item.id.client)) return true;
  }
  return false;
}

/**
 * Whether neither the letter at an offset of the text nor the one before it was written beside the other: what followed that one
 * is elsewhere, or deleted.
 */
export function isApartAt(doc: Y.Doc, offset: number): boolean {
  let left: Y.Item | null = null;
  let rest = offset;
  for (let item = doc.getText("source")._start; item; item = item.right) {
    if (item.deleted || !item.countable) continue;
    if (rest <= 0) return left !== null && !isBeside(doc.store, left, item);
    if (rest < item.length) return false;
    rest -= item.length;
    left = item;
  }
  return false;
}

function isBeside(store: Y.Doc["store"], left: Y.Item, right: Y.Item): boolean {
  if (Y.compareIDs(right.origin, left.lastId)) return true;
  for (let item = left.right; item && item !== right; item = item.right)
    if (Y.compareIDs(item.origin, left.lastId)) return false;
  // Where it was typed before letters that others have deleted, it is beside the next one.
  let next: Y.Item | null = left.rightOrigin && Y.getItem(store, left.rightOrigin);
  while (next?.deleted) next = next.right;
  return next === right;
}

/**
 * Makes changes that other documents may make at the same time: they are stored once. For that an insertion is named after its
 * text and its neighbours, so that two documents that insert the same text at the same place make the very same insertion.
 */
export function writeSharedText(doc: Y.Doc, changes: readonly TextChange[]): void {
  const text = doc.getText("source");
  doc.transact((transaction) => {
    for (const { from: start, to: end, insert } of [...changes].sort((a, b) => b.from - a.from || b.to - a.to)) {
      if (end > start) text.delete(start, end - start);
      if (insert !== "") insertShared(transaction, text, start, insert);
    }
  });
}

function insertShared(transaction: Y.Transaction, text: Y.Text, index: number, insert: string): void {
  const { store } = transaction.doc;
  const [left, next] = findNeighbours(transaction, text, index);
  const [origin, rightOrigin] = [left?.lastId ?? null, findRightOrigin(store, left, next)];
  const name = `${printId(origin)} ${printId(rightOrigin)} ${insert}`;
  // What was inserted there once and is deleted cannot come back: it is inserted as the next one.
  let time = 0;
  while (Y.getState(store, toSharedClient(`${time} ${name}`)) > 0) time++;
  const id = Y.createID(toSharedClient(`${time} ${name}`), 0);
  const right = rightOrigin && Y.getItemCleanStart(transaction, rightOrigin);
  new Y.Item(id, left, origin, right, rightOrigin, text, null, new Y.ContentString(insert)).integrate(transaction, 0);
  forgetPlaces(text);
}

/** Yjs remembers where in the text some items are, and moves only what it inserts itself. */
export const forgetPlaces = (text: Y.Text): void => void text._searchMarker?.splice(0);

/** The items around an offset that are not deleted. */
function findNeighbours(transaction: Y.Transaction, text: Y.Text, index: number): [Y.Item | null, Y.Item | null] {
  let left: Y.Item | null = null;
  let rest = index;
  for (let item = text._start; item; item = item.right) {
    if (item.deleted || !item.countable) continue;
    if (rest <= 0) return [left, item];
    if (rest < item.length) {
      const { client, clock } = item.id;
      const right = Y.getItemCleanStart(transaction, Y.createID(client, clock + rest));
      return [item, right];
    }
    rest -= item.length;
    left = item;
  }
  return [left, null];
}

/**
 * The letter before which an insertion between two neighbours was made, as if nothing had been deleted between them yet: the
 * letter that followed `left` when `right`, or what `right` was typed after, was typed there; else when `left` was typed. Yjs
 * finds one order for all documents only where both were beside each other once, and deleted letters differ between documents.
 */
function findRightOrigin(store: Y.Doc["store"], left: Y.Item | null, right: Y.Item | null): Y.ID | null {
  const origin = left?.lastId ?? null;
  for (let item = right; item; item = item.origin && Y.getItem(store, item.origin))
    if (Y.compareIDs(item.origin, origin)) return item.id;
  return left?.rightOrigin ?? null;
}

const printId = (id: Y.ID | null): string => (id ? `${id.client}:${id.clock}` : "-");

/** A number of 53 bits that is no document's id (cyrb53, by bryc). */
function toSharedClient(name: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return firstSharedClient * (1 + (low & 0xfffff)) + (high >>> 0);
}
