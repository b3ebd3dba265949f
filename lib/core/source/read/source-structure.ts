import { type Document, isSeq, type Node, Pair, YAMLMap } from "yaml";
import type { Variables } from "../../flow/field-variables";
import type { Problem } from "../../flow/problem";
import { moveRange, type TextRange } from "../../flow/text-range";
import { moveEntry, moveNode } from "../yaml/move-nodes";
import { documentOf, isInFlow, readItems, withoutAliases, type YamlEntry } from "../yaml/yaml-nodes";
import { duplicateKeyProblem, EntryReader } from "./entry-reader";
import { type ParsedChunk, parseChunk, parseWholeFile, trimmedRange } from "./parsed-chunk";
import { keyOf, lineAt, type SourceChunk, splitChangedChunk, splitChunks, splitUnreadableChunk } from "./split-chunks";

/** One entry of a chunk, with the offset of the chunk in the file. */
export class ChunkEntry {
  readonly type = "entry";
  #entryInFile: YamlEntry | undefined;
  constructor(
    /** With ranges counted from the start of the chunk. */
    readonly entry: YamlEntry,
    readonly chunk: ParsedChunk,
    /** Where the chunk begins in the file. */
    readonly offset: number,
  ) {}

  get key(): string {
    return this.entry.key;
  }

  /** The entry with its ranges in the file. */
  get entryInFile(): YamlEntry {
    this.#entryInFile ??= this.offset === 0 ? this.entry : moveEntry(this.entry, this.offset);
    return this.#entryInFile;
  }

  reading(vars?: Variables): EntryReader {
    return new EntryReader(this.chunk.text, this.chunk.document, vars);
  }

  /** The problem that an earlier entry has its key already. */
  duplicateKeyProblems(): Problem[] {
    return moveProblemsBy([duplicateKeyProblem(this.entry, this.chunk.text)], this.offset);
  }
}

/** A stretch of a flow file that cannot be read. */
export interface UnreadableChunk {
  type: "unreadable";
  range: TextRange;
  /** Of a declaration: what it is called, if it can be determined. */
  name: string | null;
  /** Whether its first line begins no declaration, so that it contains lines of the one above. */
  takesLinesAbove: boolean;
  /** Whether the text that was read before contained it. */
  isUnchanged: boolean;
  /** Its first line, without spaces and quotes. */
  firstLine: string;
}

/** A top-level entry. */
export interface SourceSection {
  head: ChunkEntry;
  /** Its declarations, when each is a chunk of its own; null: they are in its value. */
  members: readonly (ChunkEntry | UnreadableChunk)[] | null;
}

/** A flow file, split into its sections. */
export interface SourceStructure {
  sections: ReadonlyMap<string, SourceSection>;
  /** In the order of the text: of the top level only. */
  unreadableChunks: readonly UnreadableChunk[];
  /** What is wrong with the form. */
  problems: readonly Problem[];
  /** The form is so broken that nothing can be read. */
  isUnreadable: boolean;
  /** For reading the text again after a change; null: it was read as a whole. */
  cache: ChunkCache | null;
  /** Resolves aliases. */
  yaml: Document;
  /** Whether an offset is inside braces or brackets. */
  isInFlow(offset: number): boolean;
}

/** What was read of a text that was split. */
interface ChunkCache {
  text: string;
  chunks: readonly CachedChunk[];
  /** Exactly the chunks of `splitChunks`: no unreadable one was split further. */
  isPlain: boolean;
}

/** Splits and parses a flow file. Chunks that it has in common with the text that was read before are not parsed again. */
export function readStructure(text: string, before: ChunkCache | null = null): SourceStructure {
  const cache = (before && updateChunks(text, before)) ?? readChunks(text, before);
  if (!cache || cache.chunks.some(({ parsed }) => parsed.hasAlias)) return readAsOneChunk(text);
  return { ...collectSections(cache.chunks), cache, yaml: withoutAliases, isUnreadable: false };
}

/** The chunks of a text of which one declaration changed; null when more may have changed. */
function updateChunks(text: string, { text: previousText, chunks, isPlain }: ChunkCache): ChunkCache | null {
  const sources = chunks.map(({ source }) => source);
  const changed = isPlain ? splitChangedChunk(text, previousText, sources) : null;
  if (!changed) return null;
  const { index, shift } = changed;
  const changedChunks = changed.chunks.map((source): CachedChunk => {
    const isUnchanged = source.text === sources[index]?.text;
    return { source, parsed: (isUnchanged && chunks[index]?.parsed) || parseChunk(source), isUnchanged };
  });
  if (changedChunks.some(({ source, parsed }) => source.section === null && parsed.syntaxErrors.length > 0))
    return null;
  const move = ({ source, parsed }: CachedChunk, distance: number): CachedChunk => ({
    source: distance === 0 ? source : { ...source, from: source.from + distance },
    parsed,
    isUnchanged: true,
  });
  const chunksBefore = chunks.slice(0, index).map((cachedChunk) => move(cachedChunk, 0));
  const chunksAfter = chunks.slice(index + 1).map((cachedChunk) => move(cachedChunk, shift));
  return { text, chunks: [...chunksBefore, ...changedChunks, ...chunksAfter], isPlain };
}

/** Looks chunks up in the cache: most keep their index, counted from the start or from the end. */
function createChunkLookup(
  before: ChunkCache | null,
  count: number,
): (source: SourceChunk, index?: number) => ParsedChunk | undefined {
  const chunks = before?.chunks ?? [];
  const chunkKey = ({ section, indent, text }: SourceChunk): string => `${section ?? ""} ${indent} ${text}`;
  let byKey: Map<string, ParsedChunk> | undefined;
  return (source, index = Number.NaN) => {
    for (const candidate of [chunks[index], chunks[index + chunks.length - count]])
      if (
        candidate?.source.text === source.text &&
        candidate.source.section === source.section &&
        candidate.source.indent === source.indent
      )
        return candidate.parsed;
    byKey ??= new Map(chunks.map((cachedChunk) => [chunkKey(cachedChunk.source), cachedChunk.parsed]));
    return byKey.get(chunkKey(source));
  };
}

/** The chunks of a text; null when it must be read as a whole. */
function readChunks(text: string, before: ChunkCache | null): ChunkCache | null {
  const sources = splitChunks(text);
  if (!sources) return null;
  const recall = createChunkLookup(before, sources.length);
  const toCachedChunk = (source: SourceChunk, index?: number): CachedChunk => {
    const parsed = recall(source, index);
    return { source, parsed: parsed ?? parseChunk(source), isUnchanged: parsed !== undefined };
  };
  const chunks: CachedChunk[] = [];
  let isPlain = true;
  for (const [index, source] of sources.entries()) {
    const cachedChunk = toCachedChunk(source, index);
    const smallerChunks =
      source.section === null && cachedChunk.parsed.syntaxErrors.length > 0
        ? splitUnreadableChunk(source, chunks.at(-1)?.source)
        : null;
    chunks.push(
      ...(smallerChunks ? smallerChunks.map((smallerSource) => toCachedChunk(smallerSource)) : [cachedChunk]),
    );
    isPlain &&= smallerChunks === null;
  }
  return { text, chunks, isPlain };
}

function readAsOneChunk(text: string): SourceStructure {
  const parsed = parseWholeFile(text);
  const { document } = parsed;
  const reader = new EntryReader(text, document);
  const sections = new Map(
    [...(reader.entries(document.contents) ?? [])].map(([key, entry]): [string, SourceSection] => [
      key,
      { head: new ChunkEntry(entry, parsed, 0), members: null },
    ]),
  );
  return {
    sections,
    unreadableChunks: [],
    problems: [...parsed.syntaxErrors, ...reader.problems],
    isUnreadable: parsed.syntaxErrors.length > 0,
    cache: null,
    yaml: documentOf(document),
    isInFlow: (offset) => isInFlow(document, offset),
  };
}

interface CachedChunk {
  source: SourceChunk;
  parsed: ParsedChunk;
  isUnchanged: boolean;
}

function collectSections(
  chunks: readonly CachedChunk[],
): Pick<SourceStructure, "sections" | "unreadableChunks" | "problems" | "isInFlow"> {
  const sections = new Map<string, { head: ChunkEntry; members: (ChunkEntry | UnreadableChunk)[] | null }>();
  const unreadableChunks: UnreadableChunk[] = [];
  const problems: Problem[] = [];
  let sectionMembers: (ChunkEntry | UnreadableChunk)[] = [];
  chunks.forEach((cachedChunk, index) => {
    const { source, parsed } = cachedChunk;
    const { from: offset } = source;
    if (parsed.syntaxErrors.length > 0) problems.push(...moveProblemsBy(parsed.syntaxErrors, offset));
    const chunkEntries =
      parsed.syntaxErrors.length > 0
        ? [toUnreadableChunk(cachedChunk)]
        : parsed.entries.map((entry) => new ChunkEntry(entry, parsed, offset));
    if (source.section !== null) {
      sectionMembers.push(...chunkEntries);
      return;
    }
    sectionMembers = [];
    const isSplit = (chunks[index + 1]?.source.section ?? null) !== null;
    for (const entry of chunkEntries)
      if (entry.type === "unreadable") unreadableChunks.push(entry);
      else if (sections.has(entry.key)) problems.push(...entry.duplicateKeyProblems());
      else sections.set(entry.key, { head: entry, members: isSplit ? sectionMembers : null });
  });
  const inFlow = (offset: number): boolean => {
    const { source, parsed } = chunks.findLast((cachedChunk) => cachedChunk.source.from <= offset) ?? {};
    return source !== undefined && parsed !== undefined && isInFlow(parsed.document, offset - source.from);
  };
  return { sections, unreadableChunks, problems, isInFlow: inFlow };
}

function toUnreadableChunk({ source: { from: offset, text, indent }, isUnchanged }: CachedChunk): UnreadableChunk {
  const range = trimmedRange(text);
  const line = lineAt(text, 0);
  const name = line.search(/\S/) === indent ? keyOf(line) : null;
  const takesLinesAbove = name === null && text.slice(0, range.to).includes("\n");
  const firstLine = line.trim().replaceAll(/^["']|["']$/g, "");
  return { type: "unreadable", range: moveRange(range, offset), name, takesLinesAbove, isUnchanged, firstLine };
}

/** Problems of a chunk, with their ranges in the file. */
export function moveProblemsBy(problems: readonly Problem[], distance: number): Problem[] {
  if (distance === 0) return [...problems];
  return problems.map(({ range, fix, ...problem }) => ({
    ...problem,
    ...(range && { range: moveRange(range, distance) }),
    ...(fix && { fix: { ...fix, changes: fix.changes.map((change) => moveRange(change, distance)) } }),
  }));
}

/** A top-level entry with its ranges in the file; the declarations that were split off are its value again. */
export function toSectionEntry({ head, members }: SourceSection): YamlEntry {
  const { key, keyNode, value, pair } = head.entryInFile;
  const chunkEntries = (members ?? []).filter((member) => member.type === "entry");
  if (chunkEntries.length === 0) return { key, keyNode, value, pair };
  let joined: YAMLMap | undefined;
  const join = () => {
    joined ??= joinEntries(chunkEntries);
    return joined;
  };
  return {
    key,
    keyNode,
    get value() {
      return join();
    },
    get pair() {
      return new Pair(keyNode, join());
    },
  };
}

function joinEntries(chunkEntries: readonly ChunkEntry[]): YAMLMap {
  const items = chunkEntries.map(({ entryInFile }) => entryInFile.pair);
  const [firstEntry, lastEntry] = [chunkEntries[0], chunkEntries.at(-1)?.entryInFile];
  // An explicit key (`? a`) begins after the mapping.
  const start = (firstEntry?.chunk.document.contents?.range?.[0] ?? 0) + (firstEntry?.offset ?? 0);
  const end = (lastEntry?.value ?? lastEntry?.keyNode)?.range?.[2] ?? 0;
  const range: [number, number, number] = [start, end, end];
  return Object.assign(new YAMLMap(), { items, range });
}

/** The items of a section that is a list, each with a lazy copy that has offsets in the file. Null: not a list. */
export function listItems({
  entry,
  chunk: parsed,
  offset,
}: ChunkEntry): { item: Node | null; inFile(): Node | null }[] | null {
  if (!isSeq(entry.value)) return null;
  return (readItems(entry.value, parsed.document) ?? []).map((item) => ({
    item,
    inFile: () => item && (offset === 0 ? item : moveNode(item, offset)),
  }));
}
