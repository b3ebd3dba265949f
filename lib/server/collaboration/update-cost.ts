import "server-only";
import * as Y from "yjs";
import { countItems } from "./document-state";

export type DecodedUpdate = ReturnType<typeof Y.decodeUpdate>;
type Struct = DecodedUpdate["structs"][number];

/** What applying an update takes at most, beside the time for each of its parts. */
export interface UpdateCost {
  /** Items that Yjs compares with another while it looks for the place of that, and steps for unknown ranges. */
  steps: number;
  /** Structs that the update adds, those from splitting others included. */
  added: number;
  /** Thousands of structs that make room for those, in the lists of their clients. */
  moved: number;
}

/**
 * Computes what applying an update takes, without applying it. Yjs knows the place of an item at once where its neighbours are
 * beside each other; otherwise it compares the item with all items between both. Stops counting at `maxSteps`.
 */
export function estimateCost(doc: Y.Doc, update: DecodedUpdate, maxSteps: number): UpdateCost {
  const estimate = new CostEstimate(doc, maxSteps);
  for (const struct of update.structs) estimate.addStruct(struct);
  estimate.addLateSplits();
  for (const [client, ranges] of update.ds.clients)
    for (const { clock, len } of ranges) estimate.addRange(client, clock, len);
  return estimate.total;
}

const toKey = ({ client, clock }: Y.ID): string => `${client}:${clock}`;
const toKeyOrNull = (id: Y.ID | null): string | null => id && toKey(id);
const isItem = (struct: unknown): struct is Y.Item => struct instanceof Y.Item;

class CostEstimate {
  #steps = 0;
  #added = 0;
  #moved = 0;
  /** Items whose place is searched. Any other item of the update may be in their way, and they in the way of it. */
  #searched = 0;
  #newItems = 0;
  #documentItems: number | undefined;
  readonly #states = new Map<number, number>();
  /** By the last id of an item: the first id of the item after it, where the update changes it. */
  readonly #next = new Map<string, string | null>();
  /** By the first id of an item: whether nothing is before it, where the update changes it. */
  readonly #isFirst = new Map<string, boolean>();
  /** Types, and keys of types, to which the update adds the first item. */
  readonly #filled = new Set<string>();
  /** First ids of structs of the update. */
  readonly #starts = new Set<string>();
  /** Ids at which structs are split. */
  readonly #splits = new Set<string>();
  /** Ids at which structs are split that come later in the update. */
  readonly #lateSplits: Y.ID[] = [];
  readonly #splitsByClient = new Map<number, { count: number; maxClock: number }>();

  constructor(
    private readonly doc: Y.Doc,
    private readonly maxSteps: number,
  ) {}

  get total(): UpdateCost {
    const ofClients = Math.floor(this.#states.size ** 2 / clientsPerStep);
    const steps = this.#steps + this.#searched * this.#newItems + ofClients;
    return { steps, added: this.#added, moved: this.#moved / 1_000 };
  }

  addStruct(struct: Struct): void {
    const { client, clock } = struct.id;
    const state = this.#getState(client);
    if (clock + struct.length <= state) return;
    this.#states.set(client, clock + struct.length);
    this.#added++;
    this.#starts.add(toKey(struct.id));
    if (!isItem(struct)) return;
    this.#newItems++;
    const origin = clock < state ? Y.createID(client, state - 1) : struct.origin;
    const id = Y.createID(client, Math.max(clock, state));
    this.#splitNeighbour(origin && Y.createID(origin.client, origin.clock + 1));
    this.#splitNeighbour(struct.rightOrigin);
    if (this.#isBesideBoth(struct, origin)) this.#place(struct, origin, id);
    else {
      this.#searched++;
      this.#steps += this.#countBetween(struct, origin);
    }
  }

  #isBesideBoth({ parent, parentSub, rightOrigin }: Y.Item, origin: Y.ID | null): boolean {
    if (origin) return this.#findNext(origin) === toKeyOrNull(rightOrigin);
    if (rightOrigin) return this.#isFirst.get(toKey(rightOrigin)) ?? this.#isFirstInDocument(rightOrigin);
    const place = toPlaceKey(parent, parentSub);
    return !this.#filled.has(place) && this.#findFirst(parent, parentSub) === null;
  }

  #place(item: Y.Item, origin: Y.ID | null, id: Y.ID): void {
    const right = toKeyOrNull(item.rightOrigin);
    if (origin) this.#next.set(toKey(origin), toKey(id));
    else this.#isFirst.set(toKey(id), true).set(right ?? "", false);
    if (!origin && right === null) this.#filled.add(toPlaceKey(item.parent, item.parentSub));
    this.#next.set(toKey(item.lastId), right);
  }

  /** Undefined: it is not known. */
  #findNext(id: Y.ID): string | null | undefined {
    const changed = this.#next.get(toKey(id));
    if (changed !== undefined) return changed;
    const item = this.#findItem(id);
    if (!item) return undefined;
    if (id.clock < item.id.clock + item.length - 1) return toKey(Y.createID(id.client, id.clock + 1));
    return toKeyOrNull(item.right?.id ?? null);
  }

  #isFirstInDocument(id: Y.ID): boolean {
    const item = this.#findItem(id);
    return item !== null && item.left === null && item.id.clock === id.clock;
  }

  /** The item of the document that has an id; null: none, or one that was removed. */
  #findItem(id: Y.ID): Y.Item | null {
    if (id.clock >= Y.getState(this.doc.store, id.client)) return null;
    const struct: unknown = Y.getItem(this.doc.store, id);
    return isItem(struct) ? struct : null;
  }

  /** The first item of a type, or of one key of it; null: there is none. */
  #findFirst(parent: unknown, parentSub: string | null): Y.Item | null {
    const type = this.#findType(parent);
    if (!type || parentSub === null) return type?._start ?? null;
    let first = type._map.get(parentSub) ?? null;
    while (first?.left && this.#steps < this.maxSteps) {
      first = first.left;
      this.#steps++;
    }
    return first;
  }

  #findType(parent: unknown) {
    if (parent instanceof Y.AbstractType) return parent;
    if (typeof parent === "string") return this.doc.share.get(parent) ?? null;
    const item = parent instanceof Y.ID ? this.#findItem(parent) : null;
    return item?.content instanceof Y.ContentType ? item.content.type : null;
  }

  /** Items of the document between the neighbours of an item. Neighbours in the update count as the whole document. */
  #countBetween(item: Y.Item, origin: Y.ID | null): number {
    const left = origin && this.#findItem(origin);
    const right = item.rightOrigin && this.#findItem(item.rightOrigin);
    if ((origin && !left) || (item.rightOrigin && !right)) return this.#countAll();
    let next = left ?? this.#findFirst(right?.parent ?? item.parent, (right ?? item).parentSub);
    let count = 0;
    for (; next && next !== right && this.#steps + count < this.maxSteps; next = next.right) count++;
    return count;
  }

  #countAll(): number {
    this.#documentItems ??= countItems(this.doc) + 1;
    return this.#documentItems;
  }

  #splitNeighbour(id: Y.ID | null): void {
    if (id && id.clock >= this.#getState(id.client)) this.#lateSplits.push(id);
    else this.#split(id);
  }

  /** To be called after the last struct. Yjs applies the structs first that others of the update wait for. */
  addLateSplits(): void {
    for (const id of this.#lateSplits) this.#split(id);
  }

  /** An item that goes on at an id begins there from now on. */
  #split(id: Y.ID | null): void {
    if (!id) return;
    const key = toKey(id);
    if (this.#splits.has(key) || !this.#isInside(id)) return;
    this.#splits.add(key);
    this.#added++;
    const before = this.#splitsByClient.get(id.client) ?? { count: 0, maxClock: 0 };
    const moved = id.clock < before.maxClock ? before.count : 0;
    this.#moved += moved + this.#countBehind(id);
    this.#splitsByClient.set(id.client, { count: before.count + 1, maxClock: Math.max(before.maxClock, id.clock) });
  }

  /** Whether an id is in a struct, and not the first one of it. */
  #isInside(id: Y.ID): boolean {
    if (id.clock >= this.#getState(id.client)) return false;
    if (id.clock >= Y.getState(this.doc.store, id.client)) return !this.#starts.has(toKey(id));
    const item = this.#findItem(id);
    return item !== null && item.id.clock < id.clock;
  }

  /** Structs of the document behind an id in the list of its client. */
  #countBehind({ client, clock }: Y.ID): number {
    const structs = this.doc.store.clients.get(client);
    return structs && clock < Y.getState(this.doc.store, client) ? structs.length - Y.findIndexSS(structs, clock) : 0;
  }

  #getState = (client: number): number => this.#states.get(client) ?? Y.getState(this.doc.store, client);

  addRange(client: number, clock: number, length: number): void {
    if (clock + length > this.#getState(client)) this.#steps += unknownRangeSteps;
    for (const edge of [clock, clock + length]) {
      const id = Y.createID(client, edge);
      // What is deleted already is not split.
      if (!this.#findItem(id)?.deleted) this.#split(id);
    }
  }
}

/** Yjs looks through the clients of an update for each of them that waits for another. */
const clientsPerStep = 50;
/** A range that is not known yet is encoded, to wait, and decoded again. */
const unknownRangeSteps = 10;

const toPlaceKey = (parent: unknown, parentSub: string | null): string =>
  `${parent instanceof Y.ID ? toKey(parent) : `named ${String(parent)}`} ${parentSub === null ? "" : `key ${parentSub}`}`;
