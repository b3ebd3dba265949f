import type { Variables } from "../../flow/field-variables";
import { type Control, type Declaration, defaultSeparator, type Flow } from "../../flow/flow";
import type { Problem } from "../../flow/problem";
import type { Range } from "../../flow/text-range";
import type { Agent } from "../../kinds/agent";
import type { Group } from "../../kinds/group";
import type { Swarm } from "../../kinds/swarm";
import { rosterOf } from "../../kinds/swarm-roster";
import { type Entry, isBlank, rangeOfNode, readText } from "../yaml/yaml-nodes";
import { moveRange, PlacedSite, PlacedTopology, placeListed, placeOf } from "./chunk-declarations";
import { Reading, readAgent } from "./entry-reader";
import { emptyDeclaration, findKept, keepMembers, keepSwarmMembers, namesOfSection } from "./fallback-flow";
import type { Found } from "./read-declaration";
import { readDeclaration, readNamedSwarm } from "./read-declaration";
import { reportUnknownOrder, withAllAgents } from "./read-root-swarm";
import { readLimits, readTopText, readVars } from "./read-settings";
import { listsMembers, type TopologySite } from "./read-topology";
import { type DeclaringSection, declaringKeys, declaringSections, topKeys } from "./sections";
import type { BrokenPart, DeclarationSite, SourceDocument } from "./source-document";
import { type Broken, listedIn, moveFound, Part, type Section, type SourceParts, standsTwice } from "./source-sections";

/** Puts together what a file says out of its parts; of those that cannot be read, what they said before. */
export class FlowReader {
  private readonly before: Flow | null;
  readonly problems: Problem[];
  readonly brokenParts: BrokenPart[];
  readonly declarations = new Map<string, DeclarationSite>();
  readonly topologies = new Map<string | null, TopologySite>();
  /** From the name of a declaration to its end. */
  readonly ranges = new Map<string, Range>();
  #vars: Variables = new Map();
  readonly #agents = new Map<string, Agent>();
  readonly #groups = new Map<string, Group>();
  readonly #swarms = new Map<string, Swarm>();
  readonly #controls = new Map<string, Control>();

  constructor(
    private readonly text: string,
    private readonly parts: SourceParts,
    private readonly last: Pick<SourceDocument, "flow" | "declarations"> | undefined,
  ) {
    this.before = last?.flow ?? null;
    this.problems = [...parts.problems];
    this.brokenParts = parts.broken.map(({ range, name }) => ({
      range,
      type: "form",
      ...(name === "swarm" && { owner: null }),
    }));
    for (const [key, { head }] of parts.sections)
      if (!topKeys.includes(key))
        this.#read(head, (entry, reading) => reading.unknownKey(entry, topKeys, "a flow file"));
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
    return this.parts.broken.length > 0 && !this.parts.sections.has(section) ? this.before : null;
  }

  #section<T>(key: string, read: (entry: Entry, reading: Reading) => T): T | null {
    const section = this.parts.sections.get(key);
    return section && !isBlank(section.head.entry.value) ? this.#read(section.head, read) : null;
  }

  #read<T>(part: Part, read: (entry: Entry, reading: Reading) => T): T {
    const reading = part.reading(this.#vars);
    const found = read(part.entry, reading);
    this.problems.push(...moveFound(reading.problems, part.from));
    return found;
  }

  /** What a part says, read once for as long as its text and the variables in it stay. */
  #recall(part: Part, section: string, read: (reading: Reading) => Found): Found {
    const inSection = part.piece.found.get(section) ?? new Map<string, Found>();
    const known = inSection.get(part.key);
    const found = known && this.#isCurrent(known) ? known : this.#readFound(part, read);
    part.piece.found.set(section, inSection.set(part.key, found));
    if (found.problems.length > 0) this.problems.push(...moveFound(found.problems, part.from));
    return found;
  }

  /** Of a missing variable the problem names others, which may have changed. */
  #isCurrent({ lookedUp = new Map() }: Found): boolean {
    return [...lookedUp].every(([name, value]) => value !== undefined && this.#vars.get(name) === value);
  }

  #readFound(part: Part, read: (reading: Reading) => Found): Found {
    const reading = part.reading(this.#vars);
    const found = read(reading);
    return reading.lookedUp.size > 0 ? { ...found, lookedUp: reading.lookedUp } : found;
  }

  #declareAll(key: DeclaringSection): void {
    const section = this.parts.sections.get(key);
    if (!section) this.#keepAll(key, this.#kept(key));
    else if (key !== "agents" || section.members || !this.#declareListed(section.head))
      this.#declareMembers(key, section);
  }

  #declareMembers(key: DeclaringSection, { head, members }: Section): void {
    const seen = new Set<string>();
    const all = (members ?? this.#membersOf(head, key)).map((member) => this.#recognize(key, member));
    let illegible = false;
    all.forEach((member, index) => {
      const next = all[index + 1];
      if (member.type === "broken") illegible = !this.#keepBroken(key, member) || illegible;
      else if (seen.has(member.key)) this.problems.push(standsTwice(member));
      else if (next?.type === "broken" && next.cutsShort && this.#isCutShort(key, member, next))
        this.#keepBroken(key, { ...next, name: member.key });
      else this.#declare(key, member);
      if (member.type === "part") seen.add(member.key);
    });
    if (illegible) this.#keepAll(key, this.before);
  }

  /** Whether what cannot be read took lines of the declaration above it: then that does not say what it said before. */
  #isCutShort(section: DeclaringSection, part: Part, { isKnown }: Broken): boolean {
    const kept = this.before && findKept(this.before, section, part.key);
    if (kept === null || isKnown) return kept !== null && this.last?.declarations.has(part.key) === false;
    const { declaration } = readDeclaration(section, part.entry, part.reading(this.#vars));
    return JSON.stringify(declaration) !== JSON.stringify(kept);
  }

  /** A name that was declared before and lost its colon is still that name. */
  #recognize(section: DeclaringSection, member: Part | Broken): Part | Broken {
    if (member.type === "part" || member.name !== null || !this.before) return member;
    const isKnown = findKept(this.before, section, member.start) !== null;
    return isKnown ? { ...member, name: member.start, cutsShort: false } : member;
  }

  /** Equal keys of a section that was not cut are a problem already. */
  #membersOf(head: Part, key: DeclaringSection): Part[] {
    const wanted = `a mapping of names to ${declaringSections[key]}s`;
    return this.#read(head, (entry, reading) => reading.mapping(entry, wanted)).map(
      (entry) => new Part(entry, head.piece, head.from),
    );
  }

  #declare(section: DeclaringSection, part: Part): void {
    const { key: name, entry } = part;
    const found = this.#recall(part, section, (reading) => readDeclaration(section, entry, reading));
    const { declaration, unread, site } = found;
    if (!declaration) return;
    this.#add(this.before ? keepMembers(declaration, unread, this.before) : declaration);
    if (site) {
      const place = (): TopologySite => readDeclaration(section, part.placed, this.#readingOf(part)).site ?? site;
      this.topologies.set(name, part.from === 0 ? site : new PlacedTopology(place));
      this.#noteUnread(name, site, unread, part);
    }
    if (this.declarations.has(name)) return;
    this.declarations.set(name, new PlacedSite(declaration.type, part));
    const range = placeOf(part);
    if (range) this.ranges.set(name, range);
  }

  /** For reading a part again with its places in the file; what it finds is known already. */
  #readingOf({ piece }: Part): Reading {
    return new Reading(this.text, piece.document);
  }

  #noteUnread(owner: string | null, { texts }: TopologySite, lanes: readonly string[], { piece, from }: Part): void {
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
  #keepBroken(section: DeclaringSection, { range, name }: Broken): boolean {
    const known = this.brokenParts.find((part) => part.range.from === range.from);
    if (known) return true;
    this.brokenParts.push({ range, type: "form", ...(name !== null && { owner: name }) });
    if (name === null) return false;
    this.#add((this.before && findKept(this.before, section, name)) ?? emptyDeclaration(section, name));
    return true;
  }

  /** Everything of a section that was there before and is not to be found now. */
  #keepAll(section: DeclaringSection, before: Flow | null): void {
    for (const name of before ? namesOfSection(before, section) : []) {
      const kept = before && !this.declarations.has(name) ? findKept(before, section, name) : null;
      if (kept) this.#add(kept);
    }
  }

  /** Orbiter's other form: `- name: a`. False: it is no list. */
  #declareListed(head: Part): boolean {
    const items = listedIn(head);
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
          const site = placeListed(name, place(), reading);
          if (site) this.declarations.set(name, site);
          const range = rangeOfNode(item, head.piece.text);
          if (range) this.ranges.set(name, moveRange(range, head.from));
        }
      });
    return true;
  }

  #root(head: Part): Swarm {
    const title = "The root swarm";
    const { declaration, site, unread } = this.#recall(head, "swarm", (reading) => {
      const found = readNamedSwarm("", title, head.entry, reading);
      return { ...found, problems: reading.problems };
    });
    if (declaration?.type !== "swarm" || !site) return this.#inFileOrder();
    const place = (): TopologySite => readNamedSwarm("", title, head.placed, this.#readingOf(head)).site;
    this.topologies.set(null, head.from === 0 ? site : new PlacedTopology(place));
    this.#noteUnread(null, site, unread, head);
    if (unread.length > 0) return keepSwarmMembers(declaration, this.before?.swarm);
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
