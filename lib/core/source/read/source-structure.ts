import { type Document, isMap, isSeq, type Node, Pair, YAMLMap } from "yaml";
import type { Variables } from "../../flow/field-variables";
import type { Problem } from "../../flow/problem";
import type { Range } from "../../flow/text-range";
import { moveEntry, moveNode } from "../yaml/move-nodes";
import { documentOf, isInFlow, readItems, withoutAliases, type YamlEntry } from "../yaml/yaml-nodes";
import { EntryReader } from "./entry-reader";
import { type ParsedChunk, parseChunk, parseWholeFile, trimmedRange } from "./parsed-chunk";
import { keyOf, lineAt, type SourceChunk, splitChangedChunk, splitChunks, splitUnreadableChunk } from "./split-chunks";

/** One entry of a flow file where it stands. */
export class ChunkEntry {
  readonly type = "part";
  #placed: YamlEntry | undefined;
  constructor(
    /** With places counted from the start of the piece. */
    readonly entry: YamlEntry,
    readonly chunk: ParsedChunk,
    /** Where the piece begins in the file. */
    readonly offset: number,
  ) {}

  get key(): string {
    return this.entry.key;
  }

  /** The entry with its places in the file. */
  get entryInFile(): YamlEntry {
    this.#placed ??= this.offset === 0 ? this.entry : moveEntry(this.entry, this.offset);
    return this.#placed;
  }

  reading(vars?: Variables): EntryReader {
    return new EntryReader(this.chunk.text, this.chunk.document, vars);
  }
}

/** A stretch of a flow file that cannot be read. */
export interface UnreadableChunk {
  type: "broken";
  range: Range;
  /** Of a declaration: what it is called, as far as that can be told. */
  name: string | null;
  /** Whether it begins as no declaration does and holds lines of the one above. */
  takesLinesAbove: boolean;
  /** Whether it stood in the text that was read before. */
  isUnchanged: boolean;
  /** Its first line, without spaces and quotes. */
  firstLine: string;
}

/** A top-level entry. */
export interface SourceSection {
  head: ChunkEntry;
  /** What stands in it, when the file was cut there; null: its value says. */
  members: readonly (ChunkEntry | UnreadableChunk)[] | null;
}

/** A flow file, taken apart. */
export interface SourceStructure {
  sections: ReadonlyMap<string, SourceSection>;
  /** In the order of the text: of the top level only. */
  unreadableChunks: readonly UnreadableChunk[];
  /** What is wrong with the form. */
  problems: readonly Problem[];
  /** The form is so broken that nothing can be read. */
  isUnreadable: boolean;
  /** For reading the text again after a change: what was read, and where it stood. */
  cache: ChunkCache | null;
  /** What aliases stand for is found with it. */
  yaml: Document;
  /** Whether the parts were read each on its own. */
  isChunked: boolean;
  /** Whether everything stands in one pair of braces. */
  isBraced: boolean;
  /** Whether a place stands inside braces or brackets. */
  isInFlow(offset: number): boolean;
}

/** What was read of a text that was cut. */
interface ChunkCache {
  text: string;
  chunks: readonly CachedChunk[];
  /** Cut as `splitSource` cuts, with no entry that was cut smaller because it cannot be read. */
  isPlain: boolean;
}

/** Takes a flow file apart; what it has in common with a text that was read before is not read again. */
export function readStructure(text: string, before: ChunkCache | null = null): SourceStructure {
  const kept = (before && updateChunks(text, before)) ?? readChunks(text, before);
  if (!kept || kept.chunks.some(({ parsed: piece }) => piece.hasAlias)) return readAsOneChunk(text);
  return {
    ...collectSections(kept.chunks),
    cache: kept,
    yaml: withoutAliases,
    isUnreadable: false,
    isChunked: true,
    isBraced: false,
  };
}

/** The pieces of a text of which one declaration changed; null when more may have changed. */
function updateChunks(text: string, { text: old, chunks: placed, isPlain }: ChunkCache): ChunkCache | null {
  const cuts = placed.map(({ source: cut }) => cut);
  const changed = isPlain ? splitChangedChunk(text, old, cuts) : null;
  if (!changed) return null;
  const { index, shift: by } = changed;
  const now = changed.chunks.map((cut): CachedChunk => {
    const isKnown = cut.text === cuts[index]?.text;
    return { source: cut, parsed: (isKnown && placed[index]?.parsed) || parseChunk(cut), isUnchanged: isKnown };
  });
  if (now.some(({ source: cut, parsed: piece }) => cut.section === null && piece.syntaxErrors.length > 0)) return null;
  const move = ({ source: cut, parsed: piece }: CachedChunk, distance: number): CachedChunk => ({
    source: distance === 0 ? cut : { ...cut, from: cut.from + distance },
    parsed: piece,
    isUnchanged: true,
  });
  const first = placed.slice(0, index).map((one) => move(one, 0));
  const rest = placed.slice(index + 1).map((one) => move(one, by));
  return { text, chunks: [...first, ...now, ...rest], isPlain };
}

/** Finds what was read of a cut before: most stand where they stood, counted from the start or from the end. */
function createChunkLookup(
  before: ChunkCache | null,
  count: number,
): (cut: SourceChunk, index?: number) => ParsedChunk | undefined {
  const placed = before?.chunks ?? [];
  const chunkKey = ({ section, indent, text }: SourceChunk): string => `${section ?? ""} ${indent} ${text}`;
  let byKey: Map<string, ParsedChunk> | undefined;
  return (cut, index = Number.NaN) => {
    for (const there of [placed[index], placed[index + placed.length - count]])
      if (there?.source.text === cut.text && there.source.section === cut.section && there.source.indent === cut.indent)
        return there.parsed;
    byKey ??= new Map(placed.map((one) => [chunkKey(one.source), one.parsed]));
    return byKey.get(chunkKey(cut));
  };
}

/** The pieces of a text; null when it must be read as a whole. */
function readChunks(text: string, before: ChunkCache | null): ChunkCache | null {
  const cuts = splitChunks(text);
  if (!cuts) return null;
  const recall = createChunkLookup(before, cuts.length);
  const toCachedChunk = (cut: SourceChunk, index?: number): CachedChunk => {
    const piece = recall(cut, index);
    return { source: cut, parsed: piece ?? parseChunk(cut), isUnchanged: piece !== undefined };
  };
  const placed: CachedChunk[] = [];
  let isPlain = true;
  for (const [index, cut] of cuts.entries()) {
    const one = toCachedChunk(cut, index);
    const stray =
      cut.section === null && one.parsed.syntaxErrors.length > 0
        ? splitUnreadableChunk(cut, placed.at(-1)?.source)
        : null;
    placed.push(...(stray ? stray.map((part) => toCachedChunk(part)) : [one]));
    isPlain &&= stray === null;
  }
  return { text, chunks: placed, isPlain };
}

function readAsOneChunk(text: string): SourceStructure {
  const piece = parseWholeFile(text);
  const { document } = piece;
  const reading = new EntryReader(text, document);
  const sections = new Map(
    (reading.entries(document.contents) ?? []).map((entry): [string, SourceSection] => [
      entry.key,
      { head: new ChunkEntry(entry, piece, 0), members: null },
    ]),
  );
  return {
    sections,
    unreadableChunks: [],
    problems: [...piece.syntaxErrors, ...reading.problems],
    isUnreadable: piece.syntaxErrors.length > 0,
    cache: null,
    yaml: documentOf(document),
    isChunked: false,
    isBraced: isMap(document.contents) && document.contents.flow === true,
    isInFlow: (offset) => isInFlow(document, offset),
  };
}

interface CachedChunk {
  source: SourceChunk;
  parsed: ParsedChunk;
  isUnchanged: boolean;
}

function collectSections(
  placed: readonly CachedChunk[],
): Pick<SourceStructure, "sections" | "unreadableChunks" | "problems" | "isInFlow"> {
  const sections = new Map<string, { head: ChunkEntry; members: (ChunkEntry | UnreadableChunk)[] | null }>();
  const broken: UnreadableChunk[] = [];
  const problems: Problem[] = [];
  let open: (ChunkEntry | UnreadableChunk)[] = [];
  placed.forEach((one, index) => {
    const { source: cut, parsed: piece } = one;
    const { from } = cut;
    if (piece.syntaxErrors.length > 0) problems.push(...moveProblemsBy(piece.syntaxErrors, from));
    const found =
      piece.syntaxErrors.length > 0
        ? [toUnreadableChunk(one)]
        : piece.entries.map((entry) => new ChunkEntry(entry, piece, from));
    if (cut.section !== null) {
      open.push(...found);
      return;
    }
    open = [];
    const isCut = (placed[index + 1]?.source.section ?? null) !== null;
    for (const part of found)
      if (part.type === "broken") broken.push(part);
      else if (sections.has(part.key)) problems.push(duplicateKeyProblem(part));
      else sections.set(part.key, { head: part, members: isCut ? open : null });
  });
  const inFlow = (offset: number): boolean => {
    const { source: cut, parsed: piece } = placed.findLast((one) => one.source.from <= offset) ?? {};
    return cut !== undefined && piece !== undefined && isInFlow(piece.document, offset - cut.from);
  };
  return { sections, unreadableChunks: broken, problems, isInFlow: inFlow };
}

function toUnreadableChunk({ source: { from, text, indent }, isUnchanged: isKnown }: CachedChunk): UnreadableChunk {
  const range = trimmedRange(text);
  const line = lineAt(text, 0);
  const name = line.search(/\S/) === indent ? keyOf(line) : null;
  const cutsShort = name === null && text.slice(0, range.to).includes("\n");
  const start = line.trim().replaceAll(/^["']|["']$/g, "");
  return {
    type: "broken",
    range: { from: from + range.from, to: from + range.to },
    name,
    takesLinesAbove: cutsShort,
    isUnchanged: isKnown,
    firstLine: start,
  };
}

/** The problem of a key that an earlier entry has already. */
export function duplicateKeyProblem({ entry, chunk: piece, offset: from }: ChunkEntry): Problem {
  const reading = new EntryReader(piece.text, piece.document);
  const message = `\`${entry.key}\` stands here twice; the first one counts. Remove or rename this one.`;
  reading.report("invalid-value", "error", message, entry.keyNode);
  return moveProblemsBy(reading.problems, from)[0] ?? { code: "invalid-value", severity: "error", message };
}

/** Problems of a piece, with their places in the file. */
export function moveProblemsBy(problems: readonly Problem[], by: number): Problem[] {
  if (by === 0) return [...problems];
  const move = <T extends Range>(range: T): T => ({ ...range, from: range.from + by, to: range.to + by });
  return problems.map(({ range, fix, ...problem }) => ({
    ...problem,
    ...(range && { range: move(range) }),
    ...(fix && { fix: { ...fix, changes: fix.changes.map(move) } }),
  }));
}

/** A top-level entry with its places in the file, and with what was cut from it put back as its value. */
export function toSectionEntry({ head, members }: SourceSection): YamlEntry {
  const { key, keyNode, value, pair } = head.entryInFile;
  const parts = (members ?? []).filter((member) => member.type === "part");
  const [first] = parts;
  if (!first) return { key, keyNode, value, pair };
  let whole: { value: YAMLMap; pair: Pair } | undefined;
  const join = () => {
    whole ??= joinEntries(keyNode, parts);
    return whole;
  };
  return {
    key,
    keyNode,
    get value() {
      return join().value;
    },
    get pair() {
      return join().pair;
    },
  };
}

function joinEntries(keyNode: YamlEntry["keyNode"], parts: readonly ChunkEntry[]): { value: YAMLMap; pair: Pair } {
  const items = parts.map(({ entryInFile: placed }) => placed.pair);
  const [first, last] = [parts[0]?.entryInFile, parts.at(-1)?.entryInFile];
  const end = (last?.value ?? last?.keyNode)?.range?.[2] ?? 0;
  const range: [number, number, number] = [first?.keyNode.range?.[0] ?? 0, end, end];
  const value = Object.assign(new YAMLMap(), { items, range });
  return { value, pair: new Pair(keyNode, value) };
}

/** The items of a section that is a list, each with its place in the file found when somebody asks. Null: it is none. */
export function listItems({
  entry,
  chunk: piece,
  offset: from,
}: ChunkEntry): { item: Node | null; place(): Node | null }[] | null {
  if (!isSeq(entry.value)) return null;
  return (readItems(entry.value, piece.document) ?? []).map((item) => ({
    item,
    place: () => item && (from === 0 ? item : moveNode(item, from)),
  }));
}
