import type { Variables } from "../../flow/field-variables";
import { type Control, type Declaration, defaultSeparator, type Flow } from "../../flow/flow";
import type { Problem } from "../../flow/problem";
import type { Range } from "../../flow/text-range";
import type { Agent } from "../../kinds/agent";
import type { Group } from "../../kinds/group";
import type { Swarm } from "../../kinds/swarm";
import { rosterOf } from "../../kinds/swarm-roster";
import { isBlank, rangeOfNode, readText, type YamlEntry } from "../yaml/yaml-nodes";
import { LazyDeclaration, LazyTopology, moveRange, rangeOfEntry, toListedDeclaration } from "./chunk-declarations";
import { EntryReader, readAgent } from "./entry-reader";
import {
  emptyDeclaration,
  findPreviousDeclaration,
  namesOfSection,
  withPreviousMembers,
  withPreviousSwarmMembers,
} from "./fallback-flow";
import type { DeclarationResult } from "./read-declaration";
import { readDeclaration, readNamedSwarm } from "./read-declaration";
import { reportUnknownOrder, withAllAgents } from "./read-root-swarm";
import { readLimits, readTopText, readVars } from "./read-settings";
import { listsMembers, type SourceTopology } from "./read-topology";
import { type DeclaringSection, declaringKeys, declaringSections, topKeys } from "./sections";
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
  readonly #agents = new Map<string, Agent>();
  readonly #groups = new Map<string, Group>();
  readonly #swarms = new Map<string, Swarm>();
  readonly #controls = new Map<string, Control>();

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
      if (!topKeys.includes(key))
        this.#read(head, (entry, reading) => reading.reportUnknownKey(entry, topKeys, "a flow file"));
  }

  read(): Flow {
    // Other sections look them up.
    this.#vars = this.#section("vars", readVars) ?? this.#kept("vars")?.vars ?? new Map();
    const given = this.#section("name", readTopText)?.trim();
    for (const section of declaringKeys) this.#declareAll(section);
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
      agents: this.#agents,
      groups: this.#groups,
      swarms: this.#swarms,
      controls: this.#controls,
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
  #isCurrent({ usedVariables: lookedUp = new Map() }: DeclarationResult): boolean {
    return [...lookedUp].every(([name, value]) => value !== undefined && this.#vars.get(name) === value);
  }

  #readFound(part: ChunkEntry, read: (reading: EntryReader) => DeclarationResult): DeclarationResult {
    const reading = part.reading(this.#vars);
    const found = read(reading);
    return reading.usedVariables.size > 0 ? { ...found, usedVariables: reading.usedVariables } : found;
  }

  #declareAll(key: DeclaringSection): void {
    const section = this.parts.sections.get(key);
    if (!section) this.#keepAll(key, this.#kept(key));
    else if (key !== "agents" || section.members || !this.#declareListed(section.head))
      this.#declareMembers(key, section);
  }

  #declareMembers(key: DeclaringSection, { head, members }: SourceSection): void {
    const seen = new Set<string>();
    const all = (members ?? this.#membersOf(head, key)).map((member) => this.#recognize(key, member));
    let illegible = false;
    all.forEach((member, index) => {
      const next = all[index + 1];
      if (member.type === "broken") illegible = !this.#keepBroken(key, member) || illegible;
      else if (seen.has(member.key)) this.problems.push(duplicateKeyProblem(member));
      else if (next?.type === "broken" && next.takesLinesAbove && this.#isCutShort(key, member, next))
        this.#keepBroken(key, { ...next, name: member.key });
      else this.#declare(key, member);
      if (member.type === "part") seen.add(member.key);
    });
    if (illegible) this.#keepAll(key, this.before);
  }

  /** Whether what cannot be read took lines of the declaration above it: then that does not say what it said before. */
  #isCutShort(section: DeclaringSection, part: ChunkEntry, { isUnchanged: isKnown }: UnreadableChunk): boolean {
    const kept = this.before && findPreviousDeclaration(this.before, section, part.key);
    if (kept === null || isKnown) return kept !== null && this.last?.declarations.has(part.key) === false;
    const { declaration } = readDeclaration(section, part.entry, part.reading(this.#vars));
    return JSON.stringify(declaration) !== JSON.stringify(kept);
  }

  /** A name that was declared before and lost its colon is still that name. */
  #recognize(section: DeclaringSection, member: ChunkEntry | UnreadableChunk): ChunkEntry | UnreadableChunk {
    if (member.type === "part" || member.name !== null || !this.before) return member;
    const isKnown = findPreviousDeclaration(this.before, section, member.firstLine) !== null;
    return isKnown ? { ...member, name: member.firstLine, takesLinesAbove: false } : member;
  }

  /** Equal keys of a section that was not cut are a problem already. */
  #membersOf(head: ChunkEntry, key: DeclaringSection): ChunkEntry[] {
    const wanted = `a mapping of names to ${declaringSections[key]}s`;
    return this.#read(head, (entry, reading) => reading.mapping(entry, wanted)).map(
      (entry) => new ChunkEntry(entry, head.chunk, head.offset),
    );
  }

  #declare(section: DeclaringSection, part: ChunkEntry): void {
    const { key: name, entry } = part;
    const found = this.#recall(part, section, (reading) => readDeclaration(section, entry, reading));
    const { declaration, unreadLanes: unread, topology: site } = found;
    if (!declaration) return;
    this.#add(this.before ? withPreviousMembers(declaration, unread, this.before) : declaration);
    if (site) {
      const place = (): SourceTopology =>
        readDeclaration(section, part.entryInFile, this.#readingOf(part)).topology ?? site;
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
    if (declaration.type === "agent") addFirst(this.#agents, declaration);
    else if (declaration.type === "group") addFirst(this.#groups, declaration);
    else if (declaration.type === "swarm") addFirst(this.#swarms, declaration);
    else addFirst(this.#controls, declaration);
  }

  /** What a stretch that cannot be read declared before, or at least its name. False: nobody can tell. */
  #keepBroken(section: DeclaringSection, { range, name }: UnreadableChunk): boolean {
    const known = this.brokenParts.find((part) => part.range.from === range.from);
    if (known) return true;
    this.brokenParts.push({ range, type: "form", ...(name !== null && { owner: name }) });
    if (name === null) return false;
    this.#add((this.before && findPreviousDeclaration(this.before, section, name)) ?? emptyDeclaration(section, name));
    return true;
  }

  /** Everything of a section that was there before and is not to be found now. */
  #keepAll(section: DeclaringSection, before: Flow | null): void {
    for (const name of before ? namesOfSection(before, section) : []) {
      const kept = before && !this.declarations.has(name) ? findPreviousDeclaration(before, section, name) : null;
      if (kept) this.#add(kept);
    }
  }

  /** Orbiter's other form: `- name: a`. False: it is no list. */
  #declareListed(head: ChunkEntry): boolean {
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
        } else if (this.#agents.has(name)) {
          const message = `There are two agents "${name}"; the first one counts.`;
          reading.report("name-taken", "error", message, nameNode);
        } else {
          this.#agents.set(name, readAgent(name, entries, reading));
          const site = toListedDeclaration(name, place(), reading);
          if (site) this.declarations.set(name, site);
          const range = rangeOfNode(item, head.chunk.text);
          if (range) this.ranges.set(name, moveRange(range, head.offset));
        }
      });
    return true;
  }

  #root(head: ChunkEntry): Swarm {
    const title = "The root swarm";
    const {
      declaration,
      topology: site,
      unreadLanes: unread,
    } = this.#recall(head, "swarm", (reading) => {
      const found = readNamedSwarm("", title, head.entry, reading);
      return { ...found, problems: reading.problems };
    });
    if (declaration?.type !== "swarm" || !site) return this.#inFileOrder();
    const place = (): SourceTopology => readNamedSwarm("", title, head.entryInFile, this.#readingOf(head)).topology;
    this.topologies.set(null, head.offset === 0 ? site : new LazyTopology(place));
    this.#noteUnread(null, site, unread, head);
    if (unread.length > 0) return withPreviousSwarmMembers(declaration, this.before?.swarm);
    if (!listsMembers(site)) return withAllAgents(declaration, this.#agents.keys());
    this.#read(head, (_, reading) => reportUnknownOrder(declaration, site, this.#declaredNames(), reading));
    return declaration;
  }

  #declaredNames(): string[] {
    return [this.#agents, this.#groups, this.#swarms, this.#controls].flatMap((map) => [...map.keys()]);
  }

  /** The root swarm of a file that has none: all agents one after another. */
  #inFileOrder(): Swarm {
    return withAllAgents(
      { type: "swarm", name: "", mode: "workflow", separator: defaultSeparator },
      this.#agents.keys(),
    );
  }
}

function addFirst<T extends { name: string }>(map: Map<string, T>, value: T): void {
  if (!map.has(value.name)) map.set(value.name, value);
}
