import "server-only";
import * as Y from "yjs";

export interface RehearsalInput {
  /** The document, as an update. */
  state: Uint8Array;
  update: Uint8Array;
  /** It stops at so many. */
  maxSteps: number;
}

export interface Rehearsal {
  /** Items with which Yjs compares others while it looks for their places. Infinite: more than `maxSteps`. */
  steps: number;
  /** Items whose places it looks for. */
  searched: number;
  /** Whether a part of the update waits for what the document lacks. */
  isWaiting: boolean;
}

/** Applies an update to a copy of a document, and counts the steps. */
export function rehearseUpdate({ state, update, maxSteps }: RehearsalInput): Rehearsal {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, state);
  try {
    const counted = applyCounted(doc, update, { maxSteps });
    const { pendingStructs, pendingDs } = doc.store;
    return { ...counted, isWaiting: pendingStructs !== null || pendingDs !== null };
  } catch (error) {
    if (error instanceof TooManySteps) return { steps: Number.POSITIVE_INFINITY, searched: 0, isWaiting: false };
    throw error;
  }
}

/** An update takes more steps than it may. The document has a part of it. */
export class TooManySteps extends Error {
  override name = "TooManySteps";
  override message = "Merging what several editors wrote takes too long.";
}

/** Applies an update, and counts the items with which Yjs compares others. Throws TooManySteps; a missing limit is none. */
export function applyCounted(
  doc: Y.Doc,
  update: Uint8Array,
  { maxSteps = Number.POSITIVE_INFINITY, origin }: { maxSteps?: number; origin?: unknown } = {},
): Pick<Rehearsal, "steps" | "searched"> {
  let [steps, searched] = [0, 0];
  const count = (item: Y.Item, store: Y.Doc["store"], offset: number): void => {
    const compared = countCompared(item, { store, offset, max: maxSteps - steps });
    if (compared > 0) searched++;
    steps += compared;
    if (steps > maxSteps) throw new TooManySteps();
  };
  withIntegration(count, () => Y.applyUpdate(doc, update, origin));
  return { steps, searched };
}

/** Calls a function with each item before it gets its place, while `work` runs, which is synchronous. */
function withIntegration(
  onItem: (item: Y.Item, store: Y.Doc["store"], offset: number) => void,
  work: () => void,
): void {
  const { integrate } = Y.Item.prototype;
  Y.Item.prototype.integrate = function (transaction, offset) {
    onItem(this, transaction.doc.store, offset);
    integrate.call(this, transaction, offset);
  };
  try {
    work();
  } finally {
    Y.Item.prototype.integrate = integrate;
  }
}

/** The number of items with which `Item.integrate` compares an item, at most `max` and one. */
function countCompared(item: Y.Item, { store, offset, max }: { store: Y.Doc["store"]; offset: number; max: number }) {
  const { right, rightOrigin, parent, parentSub, id } = item;
  if (!(parent instanceof Y.AbstractType)) return 0;
  const left = offset > 0 ? Y.getItem(store, Y.createID(id.client, id.clock + offset - 1)) : item.left;
  const origin = offset > 0 ? Y.createID(id.client, id.clock + offset - 1) : item.origin;
  if (left ? left.right === right : right && right.left === null) return 0;
  let [count, other] = [0, left ? left.right : findFirst(parent, parentSub)];
  if (!left && parentSub !== null) count += countChain(parent, parentSub);
  const before = new Set<Y.Item>();
  for (; other !== null && other !== right && count <= max; other = other.right) {
    count++;
    before.add(other);
    if (Y.compareIDs(origin, other.origin)) {
      if (other.id.client >= id.client && Y.compareIDs(rightOrigin, other.rightOrigin)) break;
    } else if (other.origin === null || !before.has(Y.getItem(store, other.origin))) break;
  }
  return count;
}

function findFirst(type: Y.ContentType["type"], key: string | null): Y.Item | null {
  let first = key === null ? type._start : (type._map.get(key) ?? null);
  while (key !== null && first?.left) first = first.left;
  return first;
}

function countChain(type: Y.ContentType["type"], key: string): number {
  let count = 0;
  for (let item = type._map.get(key); item; item = item.left ?? undefined) count++;
  return count;
}
