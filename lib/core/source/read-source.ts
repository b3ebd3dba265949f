import { type Document, isScalar, isSeq, type Node, parseDocument } from "yaml";
import { checkFlow, type FlowProblem, type Offer } from "../flow/check";
import { findPlaces } from "../flow/check-structure";
import type { Scope } from "../flow/edit";
import { nameExpression, serialExpression } from "../flow/expression";
import {
  type Agent,
  type Control,
  type DeclarationKind,
  defaultSeparator,
  type Flow,
  type Group,
  lanesOf,
  limits,
  nameSchema,
  type RunLimits,
  runLimitsSchema,
  type Swarm,
} from "../flow/flow";
import { nodeKey } from "../flow/keys";
import { rosterOf } from "../flow/members";
import type { Problem } from "../flow/problem";
import type { Range } from "../flow/text";
import { checkConditions } from "./check-conditions";
import { explainDraft } from "./explain-draft";
import { type ControlSection, controlSections, isControlSection, readControl } from "./read-controls";
import { readGroup, readSwarm, type TopologySite } from "./read-topology";
import { Reading, readAgent } from "./read-values";
import { type Entry, findUnknownAliases, isBlank, rangeOfNode, readItems, readText } from "./yaml-view";

/** Where an agent, or whatever holds agents, is declared. */
export interface DeclarationSite {
  kind: DeclarationKind;
  name: string;
  /** Missing for an agent of a list (`- name: a`). */
  entry?: Entry;
  /** Where its name stands. */
  nameNode: Node;
  /** Its value; null for `analyst:` with nothing behind it. */
  value: Node | null;
  entries: ReadonlyMap<string, Entry>;
}

/** A flow file, read: what it says, what is wrong with it, and where everything stands. */
export interface SourceDocument {
  text: string;
  flow: Flow;
  /** In the order of the text; every range lies in `text`. */
  problems: readonly Problem[];
  /** The form is so broken that `flow` does not say what the author means: keep the last good picture. */
  broken: boolean;
  yaml: Document;
  /** Top-level entries by key. */
  sections: ReadonlyMap<string, Entry>;
  declarations: ReadonlyMap<string, DeclarationSite>;
  /** By declared name; `null` is the root swarm. */
  topologies: ReadonlyMap<string | null, TopologySite>;
  /** Where `name` is declared, from its name to the end of its value. */
  rangeOf(name: string): Range | null;
  /** The declaration that holds the offset. */
  scopeAt(offset: number): string | null;
  /** The name that stands at the offset, in a declaration or a topology. */
  nameAt(offset: number): string | null;
}

/** The sections of a flow file. */
export const topKeys = [
  "name",
  "vars",
  "compat",
  "limits",
  "agents",
  "groups",
  "swarms",
  ...Object.keys(controlSections),
  "swarm",
];

/** Reads a flow file. Never throws: what cannot be read is a problem, and the rest is read all the same. */
export function readSource(text: string, offer?: Offer): SourceDocument {
  const tooLarge = text.length > limits.sourceLength;
  const yaml = parseDocument(tooLarge ? "" : text, {
    // "silent" would hide that there is a second document.
    logLevel: "error",
    prettyErrors: false,
    uniqueKeys: false,
    keepSourceTokens: true,
  });
  const reading = new Reading(text, yaml);
  if (tooLarge)
    reading.report(
      "too-large",
      "error",
      `The file has ${text.length} characters; at most ${limits.sourceLength} are read. Split it into several flows.`,
      { from: 0, to: 0 },
    );
  const formBroken = reportSyntax(reading) || tooLarge;
  const source = new SourceReader(reading);
  const flow = source.read();
  const checks = formBroken ? [] : checkFlow(flow, offer).map((problem) => source.locate(problem));
  const conditions = formBroken ? [] : checkConditions(flow, source.topologies, text);
  const problems = [...reading.problems, ...checks, ...source.draftProblems(flow), ...conditions];
  problems.sort((a, b) => (a.range?.from ?? 0) - (b.range?.from ?? 0));
  const { sections, declarations, topologies } = source;
  return {
    text,
    flow,
    problems,
    broken: formBroken || source.topologyBroken,
    yaml,
    sections,
    declarations,
    topologies,
    rangeOf: (name) => source.rangeOf(name),
    scopeAt: (offset) => source.scopeAt(offset),
    nameAt: (offset) => source.nameAt(offset),
  };
}

/** Whether the YAML itself is broken. */
function reportSyntax(reading: Reading): boolean {
  const { errors, contents } = reading.document;
  for (const error of errors) {
    const [from, to] = error.pos;
    reading.report("yaml-syntax", "error", `This is not valid YAML: ${error.message}`, {
      from: Math.min(from, reading.text.length),
      to: Math.min(to, reading.text.length),
    });
  }
  const unknown = findUnknownAliases(reading.document);
  for (const alias of unknown)
    reading.report(
      "yaml-syntax",
      "error",
      `\`*${alias.source}\` stands for nothing. Put \`&${alias.source}\` before the value that it repeats.`,
      { from: alias.range?.[0] ?? 0, to: alias.range?.[1] ?? 0 },
    );
  if (errors.length + unknown.length > 0) return true;
  if (contents === null || reading.entries(contents)) return false;
  reading.report(
    "invalid-value",
    "error",
    "A flow file is a mapping with `agents:` and `swarm:`; found something else.",
    rangeOfNode(contents, reading.text),
  );
  return true;
}

const controlKeys = Object.keys(controlSections).filter(isControlSection);
const limitKeys = Object.keys(runLimitsSchema.shape);
const isLimit = (key: string): key is keyof typeof runLimitsSchema.shape => Object.hasOwn(runLimitsSchema.shape, key);

class SourceReader {
  readonly sections: Map<string, Entry>;
  readonly declarations = new Map<string, DeclarationSite>();
  readonly topologies = new Map<string | null, TopologySite>();
  topologyBroken = false;

  constructor(private readonly reading: Reading) {
    const entries = reading.entries(reading.document.contents) ?? [];
    for (const entry of entries) if (!topKeys.includes(entry.key)) reading.unknownKey(entry, topKeys, "a flow file");
    this.sections = new Map(entries.map((entry) => [entry.key, entry]));
  }

  read(): Flow {
    const given = this.#text("name")?.trim();
    const agents = this.#agents();
    const groups = new Map(
      this.#declared("groups", "group").map((entry): [string, Group] => [entry.key, this.#group(entry)]),
    );
    const swarms = new Map(
      this.#declared("swarms", "swarm").map((entry): [string, Swarm] => [
        entry.key,
        this.#swarm(entry, entry.key, `Swarm "${entry.key}"`),
      ]),
    );
    const controls = new Map<string, Control>();
    for (const section of controlKeys)
      for (const entry of this.#declared(section, controlSections[section]))
        if (!controls.has(entry.key)) controls.set(entry.key, this.#control(section, entry));
    const root = this.sections.get("swarm");
    const found = root ? this.#swarm(root, given ?? "", "The root swarm", null) : inFileOrder(given ?? "", agents);
    const name = given || rosterOf(found)[0] || "Untitled flow";
    const swarm = { ...found, name };
    const compat = this.#text("compat") === "orbiter" ? { compat: "orbiter" as const } : {};
    return { name, vars: this.#vars(), ...compat, agents, groups, swarms, controls, limits: this.#limits(), swarm };
  }

  #text(key: string): string | null {
    const entry = this.sections.get(key);
    if (!entry || isBlank(entry.value)) return null;
    const text = readText(entry.value);
    if (text === null) this.reading.reportValue(entry, "a text");
    return text;
  }

  #vars(): Flow["vars"] {
    const entry = this.sections.get("vars");
    const vars = new Map<string, string | number | boolean>();
    for (const one of entry ? this.reading.mapping(entry, "a mapping of names to values") : []) {
      const value = isScalar(one.value) ? one.value.value : undefined;
      if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
        vars.set(one.key, value);
      else this.reading.reportValue(one, "a text, a number, true or false");
    }
    return vars;
  }

  #limits(): RunLimits {
    const section = this.sections.get("limits");
    const found: Record<string, unknown> = {};
    for (const entry of section ? this.reading.mapping(section, "a mapping of limits to numbers") : []) {
      if (!isLimit(entry.key)) this.reading.unknownKey(entry, limitKeys, "the limits of a run");
      else if (runLimitsSchema.shape[entry.key].safeParse(this.reading.toJson(entry.value)).success)
        found[entry.key] = this.reading.toJson(entry.value);
      else this.reading.reportValue(entry, "a number above 0");
    }
    return runLimitsSchema.parse(found);
  }

  #agents(): Map<string, Agent> {
    const section = this.sections.get("agents");
    if (section && isSeq(section.value)) return this.#agentList(section);
    return new Map(
      this.#declared("agents", "agent").map((entry): [string, Agent] => [
        entry.key,
        readAgent(entry.key, [...(this.declarations.get(entry.key)?.entries.values() ?? [])], this.reading),
      ]),
    );
  }

  /** Orbiter's other form: `- name: a`. */
  #agentList(section: Entry): Map<string, Agent> {
    const agents = new Map<string, Agent>();
    for (const value of readItems(section.value, this.reading.document) ?? []) {
      const entries = this.reading.entries(value) ?? [];
      const nameNode = entries.find((entry) => entry.key === "name")?.value ?? null;
      const name = readText(nameNode)?.trim();
      if (!name || !nameNode) {
        this.reading.report(
          "invalid-value",
          "error",
          "Every agent of a list needs a `name`.",
          value ?? section.keyNode,
        );
        continue;
      }
      if (agents.has(name)) {
        this.reading.report("name-taken", "error", `There are two agents "${name}"; the first one counts.`, nameNode);
        continue;
      }
      this.#declare({
        kind: "agent",
        name,
        nameNode,
        value,
        entries: new Map(entries.map((entry) => [entry.key, entry])),
      });
      agents.set(name, readAgent(name, entries, this.reading));
    }
    return agents;
  }

  #declared(key: "agents" | "groups" | "swarms" | ControlSection, kind: DeclarationSite["kind"]): Entry[] {
    const section = this.sections.get(key);
    const entries = section ? this.reading.mapping(section, `a mapping of names to ${kind}s`) : [];
    return entries.filter((entry) => {
      const valid = nameSchema.safeParse(entry.key);
      if (!valid.success) {
        this.reading.report(
          "invalid-name",
          "error",
          `The name of ${kind} "${entry.key.slice(0, 60)}" ${valid.error.issues[0]?.message ?? "is not valid"}.`,
          entry.keyNode,
        );
        return false;
      }
      const inner = this.reading.mapping(entry, "a mapping");
      const site = { kind, name: entry.key, entry, nameNode: entry.keyNode, value: entry.value };
      this.#declare({ ...site, entries: new Map(inner.map((one) => [one.key, one])) });
      return true;
    });
  }

  #declare(site: DeclarationSite): void {
    if (!this.declarations.has(site.name)) this.declarations.set(site.name, site);
  }

  #group(entry: Entry): Group {
    const { group, site } = readGroup({ name: entry.key, title: `Group "${entry.key}"`, entry, reading: this.reading });
    this.topologies.set(entry.key, site);
    if (!group.flow && site.entries.has("flow")) this.topologyBroken = true;
    return group;
  }

  #swarm(entry: Entry, name: string, title: string, key: string | null = name): Swarm {
    const { swarm, site } = readSwarm({ name, title, entry, reading: this.reading });
    this.topologies.set(key, site);
    if (!swarm.flow && !swarm.edges && !swarm.agents && !isBlank(site.entries.get("flow")?.value ?? null))
      this.topologyBroken = true;
    return swarm;
  }

  #control(section: ControlSection, entry: Entry): Control {
    const title = `${section[0]?.toUpperCase()}${controlSections[section].slice(1)} "${entry.key}"`;
    const { control, site } = readControl(controlSections[section], {
      name: entry.key,
      title,
      entry,
      reading: this.reading,
    });
    this.topologies.set(entry.key, site);
    const read = new Map(lanesOf(control));
    for (const [lane, { value }] of site.texts)
      if (!isBlank(value) && readText(value)?.trim() !== "" && !read.get(lane)) this.topologyBroken = true;
    return control;
  }

  /** Gives a problem of the flow its place in the text. */
  locate({ owner, field, reference, ...problem }: FlowProblem): Problem {
    const range = this.#place(owner, field, reference);
    return range ? { ...problem, range } : problem;
  }

  #place(owner: string | null | undefined, field?: string, reference?: string): Range | undefined {
    if (owner === undefined) return undefined;
    const site = owner === null ? undefined : this.declarations.get(owner);
    const topology = this.topologies.get(owner);
    const named =
      reference === undefined ? undefined : topology?.references.find(({ name }) => name === reference)?.range;
    if (named) return named;
    const entry = field === undefined ? undefined : (site?.entries.get(field) ?? topology?.entries.get(field));
    const node =
      entry?.value ??
      entry?.keyNode ??
      site?.nameNode ??
      (owner === null ? this.sections.get("swarm")?.keyNode : undefined);
    return rangeOfNode(node, this.reading.text);
  }

  /** Drawings that no text can say, with what mends them. */
  draftProblems(flow: Flow): Problem[] {
    const swarms: [string | null, Swarm][] = [...flow.swarms, [null, flow.swarm]];
    return swarms.flatMap(([key, swarm]) => {
      if (swarm.type !== "workflow" || !swarm.edges) return [];
      const range = this.#place(key, "edges");
      const scope: Scope = key === null ? { type: "root" } : { type: "swarm", name: key };
      const { nodes, ...problem } = explainDraft(swarm, scope);
      const places = key === null ? [""] : (findPlaces(flow).get(key) ?? [nodeKey("", key)]);
      const keys = nodes && places.flatMap((place) => nodes.map((name) => nodeKey(place, name)));
      return [{ ...problem, ...(keys && { nodes: keys }), ...(range ? { range } : {}) }];
    });
  }

  rangeOf(name: string): Range | null {
    const site = this.declarations.get(name);
    if (!site) return null;
    const head = rangeOfNode(site.nameNode, this.reading.text);
    const body = rangeOfNode(site.value, this.reading.text);
    return head
      ? { from: Math.min(head.from, body?.from ?? head.from), to: Math.max(head.to, body?.to ?? head.to) }
      : null;
  }

  scopeAt(offset: number): string | null {
    for (const name of this.declarations.keys()) {
      const range = this.rangeOf(name);
      if (range && range.from <= offset && offset <= range.to) return name;
    }
    return null;
  }

  nameAt(offset: number): string | null {
    for (const { references } of this.topologies.values())
      for (const { name, range } of references) if (range.from <= offset && offset <= range.to) return name;
    return this.scopeAt(offset);
  }
}

function inFileOrder(name: string, agents: ReadonlyMap<string, Agent>): Swarm {
  const members = [...agents.keys()].map((agent) => nameExpression(agent));
  const flow = members.length > 0 ? { flow: serialExpression(members) } : {};
  return { name, type: "workflow", separator: defaultSeparator, ...flow };
}
