import * as Y from "yjs";
import type { TextRange } from "../flow/text-range";
import { isShared } from "./shared-text";

/** A range of the text that one document inserted, and its id. */
export interface WrittenRange extends TextRange {
  client: number;
  text: string;
}

/** Two neighbours in the text of which neither document knew the other when it wrote: the order says nothing. */
export interface Rivals {
  first: WrittenRange;
  second: WrittenRange;
  /** Both are in the place of something that was deleted, or that was made for one of them. */
  replaceSame: boolean;
}

/** The rivals among what a transaction brought and what is next to it. */
export function findRivals(transaction: Y.Transaction): Rivals[] {
  const text = transaction.doc.getText("source");
  const found = new Map<Y.Item, Y.Item>();
  for (const item of listNewItems(transaction, text)) {
    const [left, right] = [findVisible(item.left, "left"), findVisible(item.right, "right")];
    if (left && areRivals(left, item)) found.set(left, item);
    if (right && areRivals(item, right)) found.set(item, right);
  }
  return [...found].map(([first, second]) => ({
    first: toRange(text, startOfRun(first, second), first),
    second: toRange(text, second, endOfRun(second, first)),
    replaceSame: replaces(transaction.doc, startOfRun(first, second)) && replaces(transaction.doc, second),
  }));
}

function* listNewItems({ beforeState, afterState, doc }: Y.Transaction, text: Y.Text): Generator<Y.Item> {
  for (const [client, clock] of afterState) {
    const known = beforeState.get(client) ?? 0;
    const structs = clock > known ? doc.store.clients.get(client) : undefined;
    if (!structs) continue;
    for (let index = Y.findIndexSS(structs, known); index < structs.length; index++) {
      const item = structs[index];
      if (item instanceof Y.Item && item.parent === text && !item.deleted && item.countable) yield item;
    }
  }
}

function findVisible(start: Y.Item | null, side: "left" | "right"): Y.Item | null {
  let item = start;
  while (item && (item.deleted || !item.countable)) item = item[side];
  return item;
}

const areRivals = (left: Y.Item, right: Y.Item): boolean =>
  left.id.client !== right.id.client &&
  !isShared(left.id) &&
  !isShared(right.id) &&
  !isBuiltOn(right, left, "origin", "left") &&
  !isBuiltOn(left, right, "rightOrigin", "right");

/** Whether an item was inserted next to another one, or to what was and is deleted now. */
function isBuiltOn(item: Y.Item, other: Y.Item, origin: "origin" | "rightOrigin", side: "left" | "right"): boolean {
  const id = item[origin];
  if (id === null) return false;
  for (let current: Y.Item | null = item[side]; current; current = current[side]) {
    if (holds(current, id)) return current === other || (current.deleted && isBuiltOn(current, other, origin, side));
    if (current === other) return false;
  }
  return false;
}

/** What a document wrote before an item without a break; it ends at what the other one knew when it wrote beside it. */
function startOfRun(item: Y.Item, other: Y.Item): Y.Item {
  const known = listOrigins(item, other, "right", "origin");
  let start = item;
  for (let left = item.left; left && !holdsOneOf(left, known); left = left.left) {
    if (left.deleted || !left.countable) continue;
    if (left.id.client !== item.id.client) break;
    start = left;
  }
  return start;
}

function endOfRun(item: Y.Item, other: Y.Item): Y.Item {
  const known = listOrigins(item, other, "left", "rightOrigin");
  let end = item;
  for (let right = item.right; right && !holdsOneOf(right, known); right = right.right) {
    if (right.deleted || !right.countable) continue;
    if (right.id.client !== item.id.client) break;
    end = right;
  }
  return end;
}

/** What the items of a document beside another one's were inserted next to, up to `last`. */
function listOrigins(
  item: Y.Item,
  last: Y.Item,
  side: "left" | "right",
  origin: "origin" | "rightOrigin",
): readonly Y.ID[] {
  const ids: Y.ID[] = [];
  for (let current = item[side]; current; current = current[side]) {
    const id = current.id.client === last.id.client ? current[origin] : null;
    if (id) ids.push(id);
    if (current === last) break;
  }
  return ids;
}

const holdsOneOf = (item: Y.Item, ids: readonly Y.ID[]): boolean => ids.some((id) => holds(item, id));

const holds = ({ id, length }: Y.Item, { client, clock }: Y.ID): boolean =>
  id.client === client && id.clock <= clock && clock < id.clock + length;

const replaces = ({ store }: Y.Doc, { origin }: Y.Item): boolean =>
  origin !== null && (isShared(origin) || Y.getItem(store, origin).deleted);

function toRange(text: Y.Text, first: Y.Item, last: Y.Item): WrittenRange {
  let start = 0;
  let item = text._start;
  for (; item && item !== first; item = item.right) if (!item.deleted && item.countable) start += item.length;
  let written = "";
  for (; item; item = item.right) {
    if (!item.deleted && item.content instanceof Y.ContentString) written += item.content.str;
    if (item === last) break;
  }
  return { from: start, to: start + written.length, client: first.id.client, text: written };
}
