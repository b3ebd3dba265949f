import { type Document, isScalar, isSeq } from "yaml";
import { checkFlow } from "../check/check-flow";
import { findNodeKeys } from "../check/check-nesting";
import { limitProblems } from "../check/limit-problems";
import type { Offer } from "../check/offer";
import type { Scope } from "../flow/edit";
import { type Flow, limits } from "../flow/flow";
import { nodeKey } from "../flow/node-key";
import type { FlowProblem, Problem } from "../flow/problem";
import type { TextRange } from "../flow/text-range";
import { isEmptyFlow } from "../kinds/members";
import type { Swarm } from "../kinds/swarm";
import { checkConditions } from "./read/check-conditions";
import { explainDraft } from "./read/explain-draft";
import { FlowReader } from "./read/flow-reader";
import { type FlowReading, isSourceDocument, type SourceDocument, type UnreadableRange } from "./read/source-document";
import { readStructure, type SourceStructure, toSectionEntry } from "./read/source-structure";
import { rangeOfNode, readText, type YamlEntry } from "./yaml/yaml-nodes";

/**
 * Reads a flow file. Never throws: what cannot be read is a problem, and the rest is read all the same. `before` is what
 * was read before a change of the text: unchanged chunks are not read again, and unreadable ones fall back to what was
 * there. A text without syntax errors reads the same with and without it.
 */
export function readSource(text: string, offer?: Offer, before?: SourceDocument): SourceDocument {
  return (before && takeReading(before, text, offer)) ?? new ReadDocument(text, offer, before);
}

/** Reads the text of a document after a change, with the same offer. */
export const readChanged = (text: string, before: SourceDocument): SourceDocument =>
  new ReadDocument(text, before instanceof ReadDocument ? before.offer : undefined, before);

/** What an edit read of its result, by the document that it changed, until that text is read. */
const readResults = new WeakMap<SourceDocument, ReadDocument>();

/** Keeps the reading of a changed text for the next `readSource` of it: an edit has read its result already. */
export function rememberReading(before: SourceDocument, after: SourceDocument): void {
  // What falls back to an earlier text depends on the readings in between.
  const isExact = before.unreadableRanges.length + after.unreadableRanges.length === 0 && !after.broken;
  if (isExact && after !== before && after instanceof ReadDocument) readResults.set(before, after);
}

/** Handed out once, so that a document does not keep all later ones in memory. */
function takeReading(before: SourceDocument, text: string, offer: Offer | undefined): ReadDocument | undefined {
  const reading = readResults.get(before);
  if (reading?.text !== text || reading.offer !== offer) return undefined;
  readResults.delete(before);
  return reading;
}

/** With the places of everything in it: reads the text again where only what it says is known. */
export const toSourceDocument = (reading: FlowReading): SourceDocument =>
  isSourceDocument(reading) ? reading : readSource(reading.text);

class ReadDocument implements SourceDocument {
  readonly flow: Flow;
  readonly broken: boolean;
  readonly unreadableRanges: readonly UnreadableRange[];
  readonly unreadRootFlow: string | null;
  readonly yaml: Document;
  readonly structure: SourceStructure;
  readonly sections: ReadonlyMap<string, YamlEntry>;
  readonly declarations: SourceDocument["declarations"];
  readonly topologies: SourceDocument["topologies"];
  readonly #ranges: ReadonlyMap<string, TextRange>;
  readonly #formProblems: readonly Problem[];
  #problems: readonly Problem[] | undefined;

  constructor(
    readonly text: string,
    readonly offer: Offer | undefined,
    before: SourceDocument | undefined,
  ) {
    const tooLarge = text.length > limits.sourceLength;
    const structure = readStructure(tooLarge ? "" : text, before?.structure.cache);
    const reader = new FlowReader(text, structure, before);
    const readFlow = reader.read();
    this.structure = structure;
    this.broken = tooLarge || structure.isUnreadable;
    this.flow = this.broken && before ? before.flow : readFlow;
    this.unreadableRanges = reader.unreadableRanges.toSorted((a, b) => a.range.from - b.range.from);
    this.yaml = structure.yaml;
    this.sections = new Map([...structure.sections].map(([key, section]) => [key, toSectionEntry(section)]));
    this.declarations = reader.declarations;
    this.topologies = reader.topologies;
    const isRootUnread = this.unreadableRanges.some(({ owner, type }) => owner === null && type === "members");
    this.unreadRootFlow = isRootUnread ? readText(this.topologies.get(null)?.entries.get("flow")?.value ?? null) : null;
    this.#ranges = reader.ranges;
    this.#formProblems = tooLarge ? [tooLargeProblem(text), ...reader.problems] : reader.problems;
  }

  /** Computed on first access. */
  get problems(): readonly Problem[] {
    this.#problems ??= this.#check();
    return this.#problems;
  }

  #check(): Problem[] {
    const owners = new Set(this.unreadableRanges.flatMap(({ owner }) => (owner === undefined ? [] : [owner])));
    const checks = this.broken ? [] : checkFlow(this.flow, this.offer);
    const isEmpty = isEmptyFlow(this.flow);
    const problems = [
      // That an empty flow is empty is no mistake of its text.
      ...this.#formProblems.filter(({ code }) => code !== "empty-flow" || !isEmpty),
      // Problems of unreadable declarations are reported already.
      ...checks.flatMap((problem) =>
        problem.owner !== undefined && owners.has(problem.owner) ? [] : this.#locate(problem),
      ),
      ...this.#draftProblems(),
      ...(this.broken
        ? []
        : checkConditions(this.flow, this.topologies, { text: this.text, checkPattern: this.offer?.checkPattern })),
    ];
    return limitProblems(problems.sort((a, b) => (a.range?.from ?? 0) - (b.range?.from ?? 0)));
  }

  /** Gives a problem of the flow its place in the text. */
  #locate({ owner, field, reference, replacement, ...problem }: FlowProblem): Problem {
    const item = this.#findItem(owner, field, reference);
    const range = item ?? this.#place(owner, field, reference);
    if (!item || replacement === undefined) return { ...problem, ...(range && { range }) };
    const fix = { title: `Write ${replacement}`, changes: [{ ...item, insert: replacement }] };
    return { ...problem, range: item, fix };
  }

  /** Where an agent's list holds the text `reference` itself, not an alias of it. */
  #findItem(owner: string | null | undefined, field?: string, reference?: string): TextRange | undefined {
    const declaration = typeof owner === "string" ? this.declarations.get(owner) : undefined;
    if (declaration?.type !== "agent" || field === undefined) return undefined;
    const list = declaration.entries.get(field)?.value;
    const item = isSeq(list) ? list.items.find((node) => isScalar(node) && readText(node) === reference) : undefined;
    return isScalar(item) ? rangeOfNode(item, this.text) : undefined;
  }

  #place(owner: string | null | undefined, field?: string, reference?: string): TextRange | undefined {
    if (owner === undefined) return undefined;
    const declaration = owner === null ? undefined : this.declarations.get(owner);
    const topology = this.topologies.get(owner);
    const named =
      reference === undefined ? undefined : topology?.references.find(({ name }) => name === reference)?.range;
    if (named) return named;
    const entry = field === undefined ? undefined : (declaration?.entries.get(field) ?? topology?.entries.get(field));
    const root = owner === null ? this.sections.get("swarm")?.keyNode : undefined;
    return rangeOfNode(entry?.value ?? entry?.keyNode ?? declaration?.nameNode ?? root, this.text);
  }

  /** Drafts, which have no flow text, with their repairs. */
  #draftProblems(): Problem[] {
    const swarms: [string | null, Swarm][] = [...this.flow.swarms, [null, this.flow.swarm]];
    return swarms.flatMap(([key, swarm]) => {
      if (swarm.mode !== "workflow" || !swarm.edges || isEmptyFlow(this.flow)) return [];
      const range = this.#place(key, "edges");
      const scope: Scope = key === null ? { type: "root" } : { type: "swarm", name: key };
      const { nodes, ...problem } = explainDraft(swarm, scope);
      const places = key === null ? [""] : (findNodeKeys(this.flow).get(key) ?? [nodeKey("", key)]);
      const keys = nodes && places.flatMap((path) => nodes.map((name) => nodeKey(path, name)));
      return [{ ...problem, ...(keys && { nodes: keys }), ...(range ? { range } : {}) }];
    });
  }

  rangeOf(name: string): TextRange | null {
    return this.#ranges.get(name) ?? null;
  }

  scopeAt(offset: number): string | null {
    for (const [name, range] of this.#ranges) if (contains(range, offset)) return name;
    return null;
  }

  nameAt(offset: number): string | null {
    const scope = this.scopeAt(offset);
    const owners = this.structure.cache ? [scope, null] : this.topologies.keys();
    for (const owner of owners)
      for (const { name, range } of this.topologies.get(owner)?.references ?? [])
        if (contains(range, offset)) return name;
    return scope;
  }
}

const contains = ({ from: start, to: end }: TextRange, offset: number): boolean => start <= offset && offset <= end;

const tooLargeProblem = ({ length }: string): Problem => ({
  code: "too-large",
  severity: "error",
  message: `The file has ${length} characters; at most ${limits.sourceLength} are read. Split it into several flows.`,
  range: { from: 0, to: 0 },
});
