import type { Node } from "yaml";
import type { NodeType } from "../../flow/flow";
import type { Range } from "../../flow/text-range";
import { type Entry, rangeOfNode } from "../yaml/yaml-nodes";
import { Reading } from "./entry-reader";
import { byKey } from "./read-declaration";
import type { TopologySite } from "./read-topology";
import type { DeclarationSite } from "./source-document";
import type { Part } from "./source-sections";

/** A declaration where it stands. Its places in the file are worked out when somebody asks: most are never asked. */
export class PlacedSite implements DeclarationSite {
  readonly name: string;
  #entries: ReadonlyMap<string, Entry> | undefined;
  constructor(
    readonly type: NodeType,
    private readonly part: Part,
  ) {
    this.name = part.key;
  }

  get entry(): Entry {
    return this.part.placed;
  }

  get nameNode(): Node {
    return this.part.placed.keyNode;
  }

  get value(): Node | null {
    return this.part.placed.value;
  }

  get entries(): ReadonlyMap<string, Entry> {
    this.#entries ??= byKey(this.part.reading().entries(this.part.placed.value) ?? []);
    return this.#entries;
  }
}

/** An agent of a list where it stands. */
export function placeListed(name: string, value: Node | null, { document, text }: Reading): DeclarationSite | null {
  const entries = byKey(new Reading(text, document).entries(value) ?? []);
  const nameNode = entries.get("name")?.value;
  return nameNode ? { type: "agent", name, nameNode, value, entries } : null;
}

/** The members of a declaration or of the root swarm where they stand, read when somebody asks. */
export class PlacedTopology implements TopologySite {
  #site: TopologySite | undefined;
  constructor(private readonly place: () => TopologySite) {}

  get #placed(): TopologySite {
    this.#site ??= this.place();
    return this.#site;
  }

  get node(): TopologySite["node"] {
    return this.#placed.node;
  }

  get entries(): TopologySite["entries"] {
    return this.#placed.entries;
  }

  get references(): TopologySite["references"] {
    return this.#placed.references;
  }

  get texts(): TopologySite["texts"] {
    return this.#placed.texts;
  }
}

export const moveRange = ({ from, to }: Range, by: number): Range => ({ from: from + by, to: to + by });

/** Where a part stands in the file, from its key to the end of its value. */
export function placeOf({ entry, piece, from }: Part): Range | null {
  let place = places.get(entry);
  if (place === undefined) {
    place = placeIn(piece.text, entry);
    places.set(entry, place);
  }
  return place && moveRange(place, from);
}

/** Where entries stand in their pieces: worked out once for as long as a piece stays. */
const places = new WeakMap<Entry, Range | null>();

function placeIn(text: string, { keyNode, value }: Entry): Range | null {
  const head = rangeOfNode(keyNode, text);
  const body = rangeOfNode(value, text);
  if (!head) return null;
  return { from: Math.min(head.from, body?.from ?? head.from), to: Math.max(head.to, body?.to ?? head.to) };
}
