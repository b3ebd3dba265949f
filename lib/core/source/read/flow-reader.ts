import type { Variables } from "../../flow/field-variables";
import type { Declaration, Flow } from "../../flow/flow";
import type { Problem } from "../../flow/problem";
import { moveRange, type TextRange } from "../../flow/text-range";
import type { DeclarationMaps, NodeKind } from "../../kinds/node-kind";
import { kindOf, listNodeKinds } from "../../kinds/registry";
import { type Swarm, swarmKind } from "../../kinds/swarm";
import { rosterOf } from "../../kinds/swarm-roster";
import { isBlank, rangeOfNode, readText, type YamlEntry } from "../yaml/yaml-nodes";
import { LazyDeclaration, rangeOfEntry, toLazyTopology, toListedDeclaration } from "./chunk-declarations";
import { DeclarationFields } from "./declaration-fields";
import { EntryReader } from "./entry-reader";
import { findLastDeclaration, restoreLanes } from "./fallback-flow";
import { type DeclarationResult, readDeclaration, readRootSwarm } from "./read-declaration";
import { reportUnknownOrder, withAllAgents } from "./read-root-swarm";
import { readLimits, readTopText, readVars } from "./read-settings";
import { rootSection, topSections } from "./sections";
import type { SourceDeclaration, SourceDocument, UnreadableRange } from "./source-document";
import {
  ChunkEntry,
  listItems,
  moveProblemsBy,
  type SourceSection,
  type SourceStructure,
  type UnreadableChunk,
} from "./source-structure";
import { listsMembers, type SourceTopology } from "./topology-site";

type ReadEntry = (entry: YamlEntry, reader: EntryReader) => DeclarationResult;

/** Assembles the flow of a file from its chunks; unreadable ones fall back to what they declared before. */
export class FlowReader {
  private readonly before: Flow | null;
  readonly problems: Problem[];
  readonly unreadableRanges: UnreadableRange[];
  readonly declarations = new Map<string, SourceDeclaration>();
  readonly topologies = new Map<string | null, SourceTopology>();
  /** From the name of a declaration to its end. */
  readonly ranges = new Map<string, TextRange>();
  #vars: Variables = new Map();
  readonly #maps: DeclarationMaps = { agents: new Map(), groups: new Map(), swarms: new Map(), controls: new Map() };

  constructor(
    private readonly text: string,
    private readonly structure: SourceStructure,
    private readonly previous: Pick<SourceDocument, "flow" | "declarations"> | undefined,
  ) {
    this.before = previous?.flow ?? null;
    this.problems = [...structure.problems];
    this.unreadableRanges = structure.unreadableChunks.map(({ range, name }) => ({
      range,
      type: "form",
      ...(name === rootSection && { owner: null }),
    }));
    for (const [key, { head }] of structure.sections)
      if (!topSections().includes(key))
        this.#read(head, (entry, reader) => reader.reportUnknownKey(entry, topSections(), "a flow file"));
  }

  read(): Flow {
    // Other sections look them up.
    this.#vars = this.#section("vars", readVars) ?? this.#kept("vars")?.vars ?? new Map();
    const declaredName = this.#section("name", readTopText)?.trim();
    for (const kind of listNodeKinds()) this.#declareAll(kind);
    const swarmSection = this.structure.sections.get(rootSection);
    const rootSwarm = swarmSection
      ? this.#root(swarmSection.head)
      : (this.#kept(rootSection)?.swarm ?? this.#inFileOrder());
    const name = declaredName || this.#kept("name")?.name || rosterOf(rootSwarm)[0] || "Untitled flow";
    const description = this.#section("description", readTopText) ?? this.#kept("description")?.description;
    const compat = this.#section("compat", readTopText) ?? this.#kept("compat")?.compat;
    return {
      name,
      ...(description && { description }),
      vars: this.#vars,
      ...(compat === "orbiter" && { compat }),
      ...this.#maps,
      limits: this.#section("limits", readLimits) ?? this.#kept("limits")?.limits ?? {},
      swarm: { ...rootSwarm, name },
    };
  }

  /** The flow that was read before, when the section is not to be found and something at the top level cannot be read. */
  #kept(section: string): Flow | null {
    return this.structure.unreadableChunks.length > 0 && !this.structure.sections.has(section) ? this.before : null;
  }

  #section<T>(key: string, read: (entry: YamlEntry, reader: EntryReader) => T): T | null {
    const section = this.structure.sections.get(key);
    return section && !isBlank(section.head.entry.value) ? this.#read(section.head, read) : null;
  }

  #read<T>(chunkEntry: ChunkEntry, read: (entry: YamlEntry, reader: EntryReader) => T): T {
    const reader = chunkEntry.reading(this.#vars);
    const readResult = read(chunkEntry.entry, reader);
    this.problems.push(...moveProblemsBy(reader.problems, chunkEntry.offset));
    return readResult;
  }

  /** The declaration of an entry, read again only when its text or the variables in it change. */
  #recall(chunkEntry: ChunkEntry, section: string, read: ReadEntry): DeclarationResult {
    const inSection = chunkEntry.chunk.declarations.get(section) ?? new Map<string, DeclarationResult>();
    const cachedResult = inSection.get(chunkEntry.key);
    const readResult = cachedResult && this.#isCurrent(cachedResult) ? cachedResult : this.#readNew(chunkEntry, read);
    chunkEntry.chunk.declarations.set(section, inSection.set(chunkEntry.key, readResult));
    if (readResult.problems.length > 0) this.problems.push(...moveProblemsBy(readResult.problems, chunkEntry.offset));
    return readResult;
  }

  /** Of a missing variable the problem names others, which may have changed. */
  #isCurrent({ usedVariables: lookedUp = new Map() }: DeclarationResult): boolean {
    return [...lookedUp].every(([name, value]) => value !== undefined && this.#vars.get(name) === value);
  }

  #readNew(chunkEntry: ChunkEntry, read: ReadEntry): DeclarationResult {
    const reader = chunkEntry.reading(this.#vars);
    const readResult = read(chunkEntry.entry, reader);
    return reader.usedVariables.size > 0 ? { ...readResult, usedVariables: reader.usedVariables } : readResult;
  }

  #declareAll(kind: NodeKind): void {
    const section = this.structure.sections.get(kind.section);
    if (!section) this.#keepAll(kind, this.#kept(kind.section));
    else if (!kind.mayBeListed || section.members || !this.#declareListed(kind, section.head))
      this.#declareMembers(kind, section);
  }

  #declareMembers(kind: NodeKind, { head, members }: SourceSection): void {
    const declaredKeys = new Set<string>();
    const all = (members ?? this.#membersOf(head, kind)).map((member) => this.#recognize(kind, member));
    let illegible = false;
    all.forEach((member, index) => {
      const next = all[index + 1];
      if (member.type === "unreadable") illegible = !this.#keepUnreadable(kind, member) || illegible;
      else if (declaredKeys.has(member.key)) this.problems.push(...member.duplicateKeyProblems());
      else if (next?.type === "unreadable" && next.takesLinesAbove && this.#isTruncated(kind, member, next))
        this.#keepTruncated(kind, member, next);
      else this.#declare(kind, member);
      if (member.type === "entry") declaredKeys.add(member.key);
    });
    if (illegible) this.#keepAll(kind, this.before);
  }

  /** Whether the unreadable chunk took lines of the declaration above it, which then has changed. */
  #isTruncated(kind: NodeKind, chunkEntry: ChunkEntry, { isUnchanged }: UnreadableChunk): boolean {
    const previousDeclaration = this.before && findLastDeclaration(this.before, kind, chunkEntry.key);
    if (!this.before || previousDeclaration === null) return false;
    if (isUnchanged) return this.previous?.declarations.has(chunkEntry.key) === false;
    const { declaration, unreadLanes } = readDeclaration(kind, chunkEntry.entry, chunkEntry.reading(this.#vars));
    const restored = declaration && restoreLanes(declaration, unreadLanes, this.before);
    return JSON.stringify(restored) !== JSON.stringify(previousDeclaration);
  }

  /** A truncated declaration stays as it was before; the texts of its remaining lines that cannot be read are noted. */
  #keepTruncated(kind: NodeKind, chunkEntry: ChunkEntry, unreadableChunk: UnreadableChunk): void {
    const { key: owner, entry } = chunkEntry;
    const { topology, unreadLanes } = readDeclaration(kind, entry, chunkEntry.reading(this.#vars));
    if (topology) this.#noteUnread(owner, topology, unreadLanes, chunkEntry);
    this.#keepUnreadable(kind, { ...unreadableChunk, name: owner });
  }

  /** A name that was declared before and lost its colon is still that name. */
  #recognize(kind: NodeKind, member: ChunkEntry | UnreadableChunk): ChunkEntry | UnreadableChunk {
    if (member.type === "entry" || member.name !== null || !this.before) return member;
    const isKnown = findLastDeclaration(this.before, kind, member.firstLine) !== null;
    return isKnown ? { ...member, name: member.firstLine, takesLinesAbove: false } : member;
  }

  /** Equal keys of a section that was not split are a problem already. */
  #membersOf(head: ChunkEntry, kind: NodeKind): ChunkEntry[] {
    const expected = `a mapping of names to ${kind.section}`;
    const entries = this.#read(head, (entry, reader) => reader.mapping(entry, expected));
    return [...entries.values()].map((entry) => new ChunkEntry(entry, head.chunk, head.offset));
  }

  #declare(kind: NodeKind, chunkEntry: ChunkEntry): void {
    const name = chunkEntry.key;
    const read: ReadEntry = (entry, reader) => readDeclaration(kind, entry, reader);
    const readResult = this.#recall(chunkEntry, kind.section, read);
    const { declaration, unreadLanes: unread, topology } = readResult;
    if (!declaration) return;
    this.#add(this.before ? restoreLanes(declaration, unread, this.before) : declaration);
    if (topology) {
      this.topologies.set(name, this.#locate(topology, chunkEntry, read));
      this.#noteUnread(name, topology, unread, chunkEntry);
    }
    if (this.declarations.has(name)) return;
    this.declarations.set(name, new LazyDeclaration(declaration.type, chunkEntry));
    const range = rangeOfEntry(chunkEntry);
    if (range) this.ranges.set(name, range);
  }

  /** The topology with its ranges in the file: the entry is read again then, and its problems are reported already. */
  #locate(topology: SourceTopology, chunkEntry: ChunkEntry, read: ReadEntry): SourceTopology {
    const { chunk, offset } = chunkEntry;
    if (offset === 0) return topology;
    const reader = new EntryReader(this.text, chunk.document);
    return toLazyTopology(() => read(chunkEntry.entryInFile, reader).topology ?? topology);
  }

  #noteUnread(
    owner: string | null,
    { texts }: SourceTopology,
    lanes: readonly string[],
    { chunk, offset }: ChunkEntry,
  ): void {
    for (const lane of lanes) {
      const entry = texts.get(lane);
      const range = rangeOfNode(entry?.value ?? entry?.keyNode, chunk.text);
      if (range) this.unreadableRanges.push({ owner, type: "members", range: moveRange(range, offset) });
    }
  }

  #add(declaration: Declaration): void {
    kindOf(declaration).declare(this.#maps, declaration);
  }

  /** Adds what an unreadable chunk declared before, or at least its name. False: its name is unknown. */
  #keepUnreadable(kind: NodeKind, { range, name }: UnreadableChunk): boolean {
    const knownRange = this.unreadableRanges.find((chunkEntry) => chunkEntry.range.from === range.from);
    if (knownRange) return true;
    this.unreadableRanges.push({ range, type: "form", ...(name !== null && { owner: name }) });
    if (name === null) return false;
    this.#add((this.before && findLastDeclaration(this.before, kind, name)) ?? kind.create(name));
    return true;
  }

  /** Everything of a section that was there before and is not to be found now. */
  #keepAll(kind: NodeKind, before: Flow | null): void {
    for (const declaration of before ? kind.collection(before).values() : [])
      if (declaration.type === kind.type && !this.declarations.has(declaration.name)) this.#add(declaration);
  }

  /** Orbiter's other form: `- name: a`. False: it is no list. */
  #declareListed(kind: NodeKind, head: ChunkEntry): boolean {
    const items = listItems(head);
    if (!items) return false;
    for (const { item, inFile: readInFile } of items)
      this.#read(head, (section, reader) => {
        const entries = reader.entries(item) ?? new Map<string, YamlEntry>();
        const nameNode = entries.get("name")?.value ?? null;
        const name = readText(nameNode)?.trim();
        if (!name || !nameNode) {
          const message = "Every agent of a list needs a `name`.";
          reader.reportInvalid(section, item, message);
        } else if (this.#maps.agents.has(name)) {
          const message = `There are two agents "${name}"; the first one counts.`;
          reader.report("name-taken", "error", message, nameNode);
        } else {
          this.#add(kind.read(DeclarationFields.ofItem(kind, name, entries, reader)));
          const topology = toListedDeclaration(name, readInFile(), reader);
          if (topology) this.declarations.set(name, topology);
          const range = rangeOfNode(item, head.chunk.text);
          if (range) this.ranges.set(name, moveRange(range, head.offset));
        }
      });
    return true;
  }

  #root(head: ChunkEntry): Swarm {
    const readResult = this.#recall(head, rootSection, readRootSwarm);
    const { declaration, topology, unreadLanes: unread } = readResult;
    if (declaration?.type !== "swarm" || !topology) return this.#inFileOrder();
    this.topologies.set(null, this.#locate(topology, head, readRootSwarm));
    this.#noteUnread(null, topology, unread, head);
    if (unread.length > 0)
      return this.before ? swarmKind.restoreLanes(declaration, this.before.swarm, unread) : declaration;
    if (!listsMembers(topology)) return withAllAgents(declaration, this.#maps.agents.keys());
    this.#read(head, (_, reader) => {
      const names = Object.values(this.#maps).flatMap((map) => [...map.keys()]);
      reportUnknownOrder(declaration, topology, names, reader);
    });
    return declaration;
  }

  /** The root swarm of a file that has none: all agents one after another. */
  #inFileOrder(): Swarm {
    return withAllAgents(swarmKind.create(""), this.#maps.agents.keys());
  }
}
