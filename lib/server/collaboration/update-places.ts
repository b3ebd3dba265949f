import "server-only";
import * as Y from "yjs";
import { groupBy } from "@/lib/core/flow/group-by";
import type { DecodedUpdate } from "./update-cost";

export type Struct = DecodedUpdate["structs"][number];
export type DeletedRanges = DecodedUpdate["ds"];
type SharedType = Y.ContentType["type"];

export const isItem = (struct: unknown): struct is Y.Item => struct instanceof Y.Item;

/** Where an item is: in a type that is so deep in the document, which has depth 0 at its root. */
interface Place {
  depth: number;
  /** The name of that type; null: it is not at the root. */
  root: string | null;
}

/** What the document will not take yet has no place. */
const nowhere: Place = { depth: 0, root: null };

/** Finds the places of the items of an update that a document has not received yet. */
export class UpdatePlaces {
  readonly #roots: ReadonlyMap<unknown, string>;
  readonly #places = new Map<Y.Item, Place>();
  readonly #structsByClient: ReadonlyMap<number, readonly Struct[]>;

  constructor(
    private readonly doc: Y.Doc,
    structs: readonly Struct[],
  ) {
    // The type of a name is made anew when it is asked for as a text.
    doc.getText("source");
    this.#roots = new Map([...doc.share].map(([name, type]) => [type, name]));
    this.#structsByClient = groupBy(structs, ({ id }) => id.client);
  }

  find(item: Y.Item): Place {
    const path: Y.Item[] = [];
    for (let next: Y.Item | null = item; next && !this.#places.has(next); next = this.#findNeighbour(next)) {
      // In a circle, which no document has, it is found again.
      this.#places.set(next, nowhere);
      path.push(next);
    }
    for (const visited of path.toReversed()) this.#places.set(visited, this.#placeOf(visited));
    return this.#places.get(item) ?? nowhere;
  }

  /** The item of the update by which another one has its place; null: the document or its parent gives it. */
  #findNeighbour(item: Y.Item): Y.Item | null {
    const struct = this.findReferred(item);
    return isItem(struct) && !(struct.parent instanceof Y.AbstractType) ? struct : null;
  }

  /** Neighbours have been placed before. */
  #placeOf(item: Y.Item): Place {
    const { parent } = item;
    if (typeof parent === "string") return { depth: 0, root: parent };
    const struct = this.findReferred(item);
    if (!isItem(struct)) return nowhere;
    const { parent: known } = struct;
    const outer = known instanceof Y.AbstractType ? this.#placeIn(known) : (this.#places.get(struct) ?? nowhere);
    return parent instanceof Y.ID ? { depth: outer.depth + 1, root: null } : outer;
  }

  /** What holds an item, or is beside of it. */
  findReferred({ parent, origin, rightOrigin }: Y.Item): Struct | null {
    const id = parent instanceof Y.ID ? parent : (origin ?? rightOrigin);
    if (typeof parent === "string" || id === null) return null;
    const { store } = this.doc;
    if (id.clock < Y.getState(store, id.client)) return Y.getItem(store, id);
    const structs = this.#structsByClient.get(id.client) ?? [];
    let [low, high] = [0, structs.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const struct = structs[middle];
      if (!struct) return null;
      if (id.clock < struct.id.clock) high = middle - 1;
      else if (id.clock >= struct.id.clock + struct.length) low = middle + 1;
      else return struct;
    }
    return null;
  }

  #placeIn(type: SharedType): Place {
    let depth = 0;
    for (let outer: unknown = type._item?.parent; outer instanceof Y.AbstractType; outer = outer._item?.parent) depth++;
    return { depth, root: this.#roots.get(type) ?? null };
  }
}

/** The items of a document that ranges delete, and how much of each; what is deleted already is left out. */
export function* listDeleted(doc: Y.Doc, { clients }: DeletedRanges): Generator<{ item: Y.Item; length: number }> {
  for (const [client, ranges] of clients) {
    const structs = doc.store.clients.get(client) ?? [];
    for (const { clock, len } of ranges) {
      if (clock >= Y.getState(doc.store, client)) continue;
      for (let index = Y.findIndexSS(structs, clock); index < structs.length; index++) {
        const struct = structs[index];
        if (!struct || struct.id.clock >= clock + len) break;
        if (!isItem(struct) || struct.deleted) continue;
        const [from, to] = [Math.max(clock, struct.id.clock), Math.min(clock + len, struct.id.clock + struct.length)];
        yield { item: struct, length: to - from };
      }
    }
  }
}
