import type { Node } from "yaml";
import type { NodeType } from "../../flow/flow";
import type { Range } from "../../flow/text-range";
import { rangeOfNode, type YamlEntry } from "../yaml/yaml-nodes";
import { EntryReader } from "./entry-reader";
import { entriesByKey } from "./read-declaration";
import type { SourceTopology } from "./read-topology";
import type { SourceDeclaration } from "./source-document";
import type { ChunkEntry } from "./source-structure";

/** A declaration where it stands. Its places in the file are worked out when somebody asks: most are never asked. */
export class LazyDeclaration implements SourceDeclaration {
  readonly name: string;
  #entries: ReadonlyMap<string, YamlEntry> | undefined;
  constructor(
    readonly type: NodeType,
    private readonly part: ChunkEntry,
  ) {
    this.name = part.key;
  }

  get entry(): YamlEntry {
    return this.part.entryInFile;
  }

  get nameNode(): Node {
    return this.part.entryInFile.keyNode;
  }

  get value(): Node | null {
    return this.part.entryInFile.value;
  }

  get entries(): ReadonlyMap<string, YamlEntry> {
    this.#entries ??= entriesByKey(this.part.reading().entries(this.part.entryInFile.value) ?? []);
    return this.#entries;
  }
}

/** An agent of a list where it stands. */
export function toListedDeclaration(
  name: string,
  value: Node | null,
  { document, text }: EntryReader,
): SourceDeclaration | null {
  const entries = entriesByKey(new EntryReader(text, document).entries(value) ?? []);
  const nameNode = entries.get("name")?.value;
  return nameNode ? { type: "agent", name, nameNode, value, entries } : null;
}

/** The members of a declaration or of the root swarm where they stand, read when somebody asks. */
export class LazyTopology implements SourceTopology {
  #site: SourceTopology | undefined;
  constructor(private readonly place: () => SourceTopology) {}

  get #placed(): SourceTopology {
    this.#site ??= this.place();
    return this.#site;
  }

  get node(): SourceTopology["node"] {
    return this.#placed.node;
  }

  get entries(): SourceTopology["entries"] {
    return this.#placed.entries;
  }

  get references(): SourceTopology["references"] {
    return this.#placed.references;
  }

  get texts(): SourceTopology["texts"] {
    return this.#placed.texts;
  }
}

export const moveRange = ({ from, to }: Range, by: number): Range => ({ from: from + by, to: to + by });

/** Where a part stands in the file, from its key to the end of its value. */
export function rangeOfEntry({ entry, chunk: piece, offset: from }: ChunkEntry): Range | null {
  let place = entryRanges.get(entry);
  if (place === undefined) {
    place = findEntryRange(piece.text, entry);
    entryRanges.set(entry, place);
  }
  return place && moveRange(place, from);
}

/** Where entries stand in their pieces: worked out once for as long as a piece stays. */
const entryRanges = new WeakMap<YamlEntry, Range | null>();

function findEntryRange(text: string, { keyNode, value }: YamlEntry): Range | null {
  const head = rangeOfNode(keyNode, text);
  const body = rangeOfNode(value, text);
  if (!head) return null;
  return { from: Math.min(head.from, body?.from ?? head.from), to: Math.max(head.to, body?.to ?? head.to) };
}
