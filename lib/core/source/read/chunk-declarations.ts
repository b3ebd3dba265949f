import type { Node } from "yaml";
import type { NodeType } from "../../flow/flow";
import { moveRange, type TextRange } from "../../flow/text-range";
import { rangeOfNode, type YamlEntry } from "../yaml/yaml-nodes";
import { EntryReader } from "./entry-reader";
import type { SourceDeclaration } from "./source-document";
import type { ChunkEntry } from "./source-structure";
import type { SourceTopology } from "./topology-site";

/** A declaration with offsets in the file, which are computed on first access: most are never needed. */
export class LazyDeclaration implements SourceDeclaration {
  readonly name: string;
  #entries: ReadonlyMap<string, YamlEntry> | undefined;
  constructor(
    readonly type: NodeType,
    private readonly chunkEntry: ChunkEntry,
  ) {
    this.name = chunkEntry.key;
  }

  get entry(): YamlEntry {
    return this.chunkEntry.entryInFile;
  }

  get nameNode(): Node {
    return this.chunkEntry.entryInFile.keyNode;
  }

  get value(): Node | null {
    return this.chunkEntry.entryInFile.value;
  }

  get entries(): ReadonlyMap<string, YamlEntry> {
    this.#entries ??= this.chunkEntry.reading().entries(this.chunkEntry.entryInFile.value) ?? new Map();
    return this.#entries;
  }
}

/** An agent of a list, with offsets in the file. */
export function toListedDeclaration(
  name: string,
  value: Node | null,
  { document, text }: EntryReader,
): SourceDeclaration | null {
  const entries = new EntryReader(text, document).entries(value);
  const nameNode = entries?.get("name")?.value;
  return entries && nameNode ? { type: "agent", name, nameNode, value, entries } : null;
}

/** The members of a declaration or of the root swarm with offsets in the file, read on first access. */
export function toLazyTopology(readTopology: () => SourceTopology): SourceTopology {
  let cachedTopology: SourceTopology | undefined;
  const recall = (): SourceTopology => {
    cachedTopology ??= readTopology();
    return cachedTopology;
  };
  return {
    get node() {
      return recall().node;
    },
    get entries() {
      return recall().entries;
    },
    get references() {
      return recall().references;
    },
    get texts() {
      return recall().texts;
    },
  };
}

/** The ranges of entries in their chunks, computed once per chunk. */
const entryRanges = new WeakMap<YamlEntry, TextRange>();

/** The range of an entry in the file, from its key to the end of its value. */
export function rangeOfEntry({ entry, chunk, offset }: ChunkEntry): TextRange | undefined {
  let range = entryRanges.get(entry);
  if (!range) {
    range = rangeOfNode(entry.pair, chunk.text);
    if (range) entryRanges.set(entry, range);
  }
  return range && moveRange(range, offset);
}
