import type { Variables } from "../../flow/field-variables";
import type { Declaration, Flow } from "../../flow/flow";
import type { Problem } from "../../flow/problem";
import type { Range } from "../../flow/text-range";
import type { DeclarationMaps, NodeKind } from "../../kinds/node-kind";
import { kindOf, listNodeKinds } from "../../kinds/registry";
import { type Swarm, swarmKind } from "../../kinds/swarm";
import { rosterOf } from "../../kinds/swarm-roster";
import { isBlank, rangeOfNode, readText, type YamlEntry } from "../yaml/yaml-nodes";
import { LazyDeclaration, LazyTopology, moveRange, rangeOfEntry, toListedDeclaration } from "./chunk-declarations";
import { DeclarationFields } from "./declaration-fields";
import { EntryReader } from "./entry-reader";
import { findLastDeclaration, namesOfKind, restoreLanes } from "./fallback-flow";
import { type DeclarationResult, readDeclaration, readRootSwarm } from "./read-declaration";
import { reportUnknownOrder, withAllAgents } from "./read-root-swarm";
import { readLimits, readTopText, readVars } from "./read-settings";
import { topSections } from "./sections";
import type { SourceDeclaration, SourceDocument, UnreadableRange } from "./source-document";
import {
  ChunkEntry,
  duplicateKeyProblem,
  listItems,
  moveProblemsBy,
  type SourceSection,
  type SourceStructure,
  type UnreadableChunk,
} from "./source-structure";
import { listsMembers, type SourceTopology } from "./topology-site";

/** Puts together what a file says out of its parts; of those that cannot be read, what they said before. */
export class FlowReader {
  private readonly before: Flow | null;
  readonly problems: Problem[];
  readonly brokenParts: UnreadableRange[];
  readonly declarations = new Map<string, SourceDeclaration>();
  readonly topologies = new Map<string | null, SourceTopology>();
  /** From the name of a declaration to its end. */
  readonly ranges = new Map<string, Range>();
  #vars: Variables = new Map();
  readonly #maps: DeclarationMaps = { agents: new Map(), groups: new Map(), swarms: new Map(), controls: new Map() };

  constructor(
    private readonly text: string,
    private readonly parts: SourceStructure,
    private readonly last: Pick<SourceDocument, "flow" | "declarations"> | undefined,
  ) {
    this.before = last?.flow ?? null;
    this.problems = [...parts.problems];
    this.brokenParts = parts.unreadableChunks.map(({ range, name }) => ({
      range,
      type: "form",
      ...(name === "swarm" && { owner: null }),
    }));
    for (const [key, { head }] of parts.sections)
      if (!topSections().includes(key))
        this.#read(head, (entry, reading) => reading.reportUnknownKey(entry, topSections(), "a flow file"));
  }

  read(): Flow {
    // Other sections look them up.
    this.#vars = this.#section("vars", readVars) ?? this.#kept("vars")?.vars ?? new Map();
    const given = this.#section("name", readTopText)?.trim();
    for (const kind of listNodeKinds()) this.#declareAll(kind);
    const root = this.parts.sections.get("swarm");
    const found = root ? this.#root(root.head) : (this.#kept("swarm")?.swarm ?? this.#inFileOrder());
    const name = given || this.#kept("name")?.name || rosterOf(found)[0] || "Untitled flow";
    const description = this.#section("description", readTopText) ?? this.#kept("description")?.description;
    const compat = this.#section("compat", readTopText) ?? this.#kept("compat")?.compat;
    return {
      name,
      ...(description && { description }),
      vars: this.#vars,
      ...(compat === "orbiter" && { compat }),
      ...this.#maps,
      limits: this.#section("limits", readLimits) ?? this.#kept("limits")?.limits ?? {},
      swarm: { ...found, name },
    };
  }

  /** The flow that was read before, when the section is not to be found and something at the top level cannot be read. */
  #kept(section: string): Flow | null {
    return this.parts.unreadableChunks.length > 0 && !this.parts.sections.has(section) ? this.before : null;
  }

  #section<T>(key: string, read: (entry: YamlEntry, reading: EntryReader) => T): T | null {
    const section = this.parts.sections.get(key);
    return section && !isBlank(section.head.entry.value) ? this.#read(section.head, read) : null;
  }

  #read<T>(part: ChunkEntry, read: (entry: YamlEntry, reading: EntryReader) => T): T {
    const reading = part.reading(this.#vars);
    const found = read(part.entry, reading);
    this.problems.push(...moveProblemsBy(reading.problems, part.offset));
    return found;
  }

  /** What a part says, read once for as long as its text and the variables in it stay. */
  #recall(part: ChunkEntry, section: string, read: (reading: EntryReader) => DeclarationResult): DeclarationResult {
    const inSection = part.chunk.declarations.get(section) ?? new Map<string, DeclarationResult>();
    const known = inSection.get(part.key);
    const found = known && this.#isCurrent(known) ? known : this.#readFound(part, read);
    part.chunk.declarations.set(section, inSection.set(part.key, found));
    if (found.problems.length > 0) this.problems.push(...moveProblemsBy(found.problems, part.offset));
    return found;
  }

  /** Of a missing variable the problem names others, which may have changed. */
  #isCurrent({ usedVariables = new Map() }: DeclarationResult): boolean {
    return [...usedVariables].every(([name, value]) => value !== undefined && this.#vars.get(name) === value);
  }

  #readFound(part: ChunkEntry, read: (reading: EntryReader) => DeclarationResult): DeclarationResult {
    const reading = part.reading(this.#vars);
    const found = read(reading);
    return reading.usedVariables.size > 0 ? { ...found, usedVariables: reading.usedVariables } : found;
  }

  #declareAll(kind: NodeKind): void {
    const section = this.parts.sections.get(kind.section);
    if (!section) this.#keepAll(kind, this.#kept(kind.section));
    else if (!kind.mayBeListed || section.members || !this.#declareListed(kind, section.head))
      this.#declareMembers(kind, section);
  }

  #declareMembers(kind: NodeKind, { head, members }: SourceSection): void {
    const seen = new Set<string>();
    const all = (members ?? this.#membersOf(head, kind)).map((member) => this.#recognize(kind, member));
    let illegible = false;
    all.forEach((member, index) => {
      const next = all[index + 1];
      if (member.type === "broken") illegible = !this.#keepBroken(kind, member) || illegible;
      else if (seen.has(member.key)) this.problems.push(duplicateKeyProblem(member));
      else if (next?.type === "broken" && next.takesLinesAbove && this.#isCutShort(kind, member, next))
        this.#keepBroken(kind, { ...next, name: member.key });
      else this.#declare(kind, member);
      if (member.type === "part") seen.add(member.key);
    });
    if (illegible) this.#keepAll(kind, this.before);
  }

  /** Whether what cannot be read took lines of the declaration above it: then that does not say what it said before. */
  #isCutShort(kind: NodeKind, part: ChunkEntry, { isUnchanged: isKnown }: UnreadableChunk): boolean {
    const kept = this.before && findLastDeclaration(this.before, kind, part.key);
    if (kept === null || isKnown) return kept !== null && this.last?.declarations.has(part.key) === false;
    const { declaration } = readDeclaration(kind, part.entry, part.reading(this.#vars));
    return JSON.stringify(declaration) !== JSON.stringify(kept);
  }

  /** A name that was declared before and lost its colon is still that name. */
  #recognize(kind: NodeKind, member: ChunkEntry | UnreadableChunk): ChunkEntry | UnreadableChunk {
    if (member.type === "part" || member.name !== null || !this.before) return member;
    const isKnown = findLastDeclaration(this.before, kind, member.firstLine) !== null;
    return isKnown ? { ...member, name: member.firstLine, takesLinesAbove: false } : member;
  }

  /** Equal keys of a section that was not cut are a problem already. */
  #membersOf(head: ChunkEntry, kind: NodeKind): ChunkEntry[] {
    const wanted = `a mapping of names to ${kind.type}s`;
    return this.#read(head, (entry, reading) => reading.mapping(entry, wanted)).map(
      (entry) => new ChunkEntry(entry, head.chunk, head.offset),
    );
  }

  #declare(kind: NodeKind, part: ChunkEntry): void {
    const { key: name, entry } = part;
    const found = this.#recall(part, kind.section, (reading) => readDeclaration(kind, entry, reading));
    const { declaration, unreadLanes: unread, topology: site } = found;
    if (!declaration) return;
    this.#add(this.before ? restoreLanes(declaration, unread, this.before) : declaration);
    if (site) {
      const place = (): SourceTopology =>
        readDeclaration(kind, part.entryInFile, this.#readingOf(part)).topology ?? site;
      this.topologies.set(name, part.offset === 0 ? site : new LazyTopology(place));
      this.#noteUnread(name, site, unread, part);
    }
    if (this.declarations.has(name)) return;
    this.declarations.set(name, new LazyDeclaration(declaration.type, part));
    const range = rangeOfEntry(part);
    if (range) this.ranges.set(name, range);
  }

  /** For reading a part again with its places in the file; what it finds is known already. */
  #readingOf({ chunk: piece }: ChunkEntry): EntryReader {
    return new EntryReader(this.text, piece.document);
  }

  #noteUnread(
    owner: string | null,
    { texts }: SourceTopology,
    lanes: readonly string[],
    { chunk: piece, offset: from }: ChunkEntry,
  ): void {
    for (const lane of lanes) {
      const entry = texts.get(lane);
      const range = rangeOfNode(entry?.value ?? entry?.keyNode, piece.text);
      if (range) this.brokenParts.push({ owner, type: "members", range: moveRange(range, from) });
    }
  }

  #add(declaration: Declaration): void {
    kindOf(declaration).declare(this.#maps, declaration);
  }

  /** What a stretch that cannot be read declared before, or at least its name. False: nobody can tell. */
  #keepBroken(kind: NodeKind, { range, name }: UnreadableChunk): boolean {
    const known = this.brokenParts.find((part) => part.range.from === range.from);
    if (known) return true;
    this.brokenParts.push({ range, type: "form", ...(name !== null && { owner: name }) });
    if (name === null) return false;
    this.#add((this.before && findLastDeclaration(this.before, kind, name)) ?? kind.create(name));
    return true;
  }

  /** Everything of a section that was there before and is not to be found now. */
  #keepAll(kind: NodeKind, before: Flow | null): void {
    for (const name of before ? namesOfKind(before, kind) : []) {
      const kept = before && !this.declarations.has(name) ? findLastDeclaration(before, kind, name) : null;
      if (kept) this.#add(kept);
    }
  }

  /** Orbiter's other form: `- name: a`. False: it is no list. */
  #declareListed(kind: NodeKind, head: ChunkEntry): boolean {
    const items = listItems(head);
    if (!items) return false;
    for (const { item, place } of items)
      this.#read(head, (section, reading) => {
        const entries = reading.entries(item) ?? [];
        const nameNode = entries.find((entry) => entry.key === "name")?.value ?? null;
        const name = readText(nameNode)?.trim();
        if (!name || !nameNode) {
          const message = "Every agent of a list needs a `name`.";
          reading.report("invalid-value", "error", message, item ?? section.keyNode);
        } else if (this.#maps.agents.has(name)) {
          const message = `There are two agents "${name}"; the first one counts.`;
          reading.report("name-taken", "error", message, nameNode);
        } else {
          this.#add(kind.read(DeclarationFields.ofItem(kind, name, entries, reading)));
          const site = toListedDeclaration(name, place(), reading);
          if (site) this.declarations.set(name, site);
          const range = rangeOfNode(item, head.chunk.text);
          if (range) this.ranges.set(name, moveRange(range, head.offset));
        }
      });
    return true;
  }

  #root(head: ChunkEntry): Swarm {
    const {
      declaration,
      topology: site,
      unreadLanes: unread,
    } = this.#recall(head, "swarm", (reading) => ({
      ...readRootSwarm(head.entry, reading),
      problems: reading.problems,
    }));
    if (declaration?.type !== "swarm" || !site) return this.#inFileOrder();
    const place = (): SourceTopology => readRootSwarm(head.entryInFile, this.#readingOf(head)).topology;
    this.topologies.set(null, head.offset === 0 ? site : new LazyTopology(place));
    this.#noteUnread(null, site, unread, head);
    if (unread.length > 0)
      return this.before ? swarmKind.restoreLanes(declaration, this.before.swarm, unread) : declaration;
    if (!listsMembers(site)) return withAllAgents(declaration, this.#maps.agents.keys());
    this.#read(head, (_, reading) => reportUnknownOrder(declaration, site, this.#declaredNames(), reading));
    return declaration;
  }

  #declaredNames(): string[] {
    return Object.values(this.#maps).flatMap((map) => [...map.keys()]);
  }

  /** The root swarm of a file that has none: all agents one after another. */
  #inFileOrder(): Swarm {
    return withAllAgents(swarmKind.create(""), this.#maps.agents.keys());
  }
}
