import { isScalar, type Node } from "yaml";
import type * as z from "zod/mini";
import { parseFlow } from "../../dsl/parse";
import type { AgentField, Edit } from "../../flow/edit";
import { type Expression, type FlowTextKind, namesOf } from "../../flow/expression";
import type { FieldTexts } from "../../flow/flow";
import type { ProblemCode, Repair } from "../../flow/problem";
import { nearest } from "../../flow/suggest-name";
import { isAgentField } from "../../kinds/agent";
import { agentChoices, isAgentChoice } from "../../kinds/agent-defaults";
import { agentSchema } from "../../kinds/agent-schema";
import type { AgentFieldOptions, DeclarationReader, NumberBounds, RouterLane } from "../../kinds/declaration-reader";
import { routerLaneFieldTypes } from "../../kinds/field-types";
import type { NodeKind } from "../../kinds/node-kind";
import { moveProblems, scalarOffsets } from "../yaml/scalar-offsets";
import { isBlank, rangeOfNode, readItems, readText, type YamlEntry } from "../yaml/yaml-nodes";
import { describeFilled, describeNode, type EntryReader } from "./entry-reader";
import type { SourceTopology } from "./topology-site";

type YamlEntries = ReadonlyMap<string, YamlEntry>;

/** A declaration in a flow file. */
interface WrittenDeclaration {
  name: string;
  title: string;
  entry: YamlEntry;
  reading: EntryReader;
}

/** The fields of one declaration as its node kind reads them. Names of members become references of the site. */
export class DeclarationFields implements DeclarationReader {
  readonly name: string;
  readonly title: string;
  readonly #reading: EntryReader;
  readonly #keyNode: YamlEntry["keyNode"] | null;

  private constructor(
    { name, title, reading }: Pick<WrittenDeclaration, "name" | "title" | "reading">,
    keyNode: YamlEntry["keyNode"] | null,
    readonly site: SourceTopology,
  ) {
    this.name = name;
    this.title = title;
    this.#reading = reading;
    this.#keyNode = keyNode;
  }

  /** The fields of a declaration; those that its kind does not have are reported. */
  static of(kind: Pick<NodeKind, "fields" | "otherFields">, declaration: WrittenDeclaration): DeclarationFields {
    const { title, entry, reading } = declaration;
    const entries = reading.mapping(entry, "a mapping");
    reportUnknown(kind, title, entries, reading);
    return new DeclarationFields(declaration, entry.keyNode, toSite(entry.value, entries));
  }

  /** The fields of an item of a list of declarations (`- name: a`). */
  static ofItem(kind: NodeKind, name: string, entries: YamlEntries, reading: EntryReader): DeclarationFields {
    const title = kind.title(name);
    reportUnknown(kind, title, entries, reading);
    return new DeclarationFields({ name, title, reading }, null, toSite(null, entries));
  }

  get isRoot(): boolean {
    return this.name === "";
  }

  has(field: string): boolean {
    return this.site.entries.has(field);
  }

  isWritten(field: string): boolean {
    return this.#findWritten(field) !== undefined;
  }

  isBlank(field: string): boolean {
    return isEmptyText(this.site.entries.get(field)?.value ?? null);
  }

  /** The entry of a field that has a value. */
  #findWritten(field: string): YamlEntry | undefined {
    const entry = this.site.entries.get(field);
    return entry && !isBlank(entry.value) ? entry : undefined;
  }

  text(field: string): string | undefined {
    const entry = this.#findWritten(field);
    if (!entry) return undefined;
    const text = readText(entry.value);
    if (text === null) this.#reading.reportValue(entry, "a text");
    return text ?? undefined;
  }

  filledText(field: string, { prose = true }: { prose?: boolean } = {}): string | undefined {
    const entry = this.site.entries.get(field);
    const filled = entry && this.#reading.lookUp(entry, prose);
    if (!filled) return this.text(field);
    return filled.value === undefined ? undefined : String(filled.value);
  }

  number(field: string, { least, most, isInteger = true }: NumberBounds): number | undefined {
    const entry = this.#findWritten(field);
    if (!entry) return undefined;
    const filled = this.#reading.lookUp(entry);
    if (filled && filled.value === undefined) return undefined;
    const value = filled ? filled.value : this.#reading.toJson(entry.value);
    if (typeof value === "number" && value >= least && value <= most && (!isInteger || Number.isInteger(value)))
      return value;
    this.#reading.reportValue(entry, `a ${isInteger ? "whole " : ""}number from ${least} to ${most}`, filled?.value);
    return undefined;
  }

  choice<Choice extends string>(field: string, choices: readonly Choice[], fallback: Choice): Choice {
    const entry = this.#findWritten(field);
    if (!entry) return fallback;
    const text = readText(entry.value);
    const choice = choices.find((candidate) => candidate === text);
    if (choice) return choice;
    const message = `\`${field}\` of ${this.title} must be one of ${choices.join(", ")}.`;
    this.#reading.reportInvalid(entry, entry.value, message);
    return fallback;
  }

  flow(field: string, as: FlowTextKind = "flow"): Expression | undefined {
    const entry = this.site.entries.get(field);
    return entry && this.#flowOf(field, entry, as);
  }

  /** The topology of an entry's text. */
  #flowOf(lane: string, entry: YamlEntry, as: FlowTextKind = "flow"): Expression | undefined {
    const reading = this.#reading;
    this.site.texts.set(lane, entry);
    const text = isBlank(entry.value) ? "" : readText(entry.value);
    if (text === null) {
      reading.reportValue(entry, 'a text such as "a >> b"');
      return undefined;
    }
    const valueRange = rangeOfNode(entry.value ?? entry.keyNode, reading.text) ?? { from: 0, to: 0 };
    const offsets = isScalar(entry.value) ? scalarOffsets(reading.text, entry.value) : null;
    const { expression, problems } = parseFlow(text, { as });
    reading.problems.push(...moveProblems(problems, offsets, valueRange));
    if (!expression) return undefined;
    for (const { name, range } of namesOf(expression))
      this.site.references.push({ name, range: offsets?.toRange(range) ?? valueRange });
    return expression;
  }

  names(field: string): string[] | undefined {
    const entry = this.site.entries.get(field);
    const names = entry && this.#reading.names(entry);
    for (const { name, node } of names ?? []) this.#addReference(name, node);
    return names?.map(({ name }) => name);
  }

  #addReference(name: string, node: Node): void {
    const range = rangeOfNode(node, this.#reading.text);
    if (range) this.site.references.push({ name, range });
  }

  edges(field: string): [from: string, to: string][] | undefined {
    const reading = this.#reading;
    const entry = this.#findWritten(field);
    if (!entry) return undefined;
    const items = readItems(entry.value, reading.document);
    if (!items) reading.reportValue(entry, "a list of pairs such as [[a, b]]");
    return (items ?? []).flatMap((item): [string, string][] => {
      const ends = readItems(item, reading.document) ?? [];
      const names = ends.map((end) => readText(end)?.trim());
      ends.forEach((end, index) => {
        if (end && names[index]) this.#addReference(names[index], end);
      });
      const [source, target] = names;
      if (names.length === 2 && source !== undefined && target !== undefined) return [[source, target]];
      reading.reportInvalid(entry, item, `\`${field}\` of ${this.title} must hold pairs such as [a, b].`);
      return [];
    });
  }

  lanes(field: string): Map<string, RouterLane> {
    const entry = this.site.entries.get(field);
    const entries = entry ? this.#reading.mapping(entry, `a mapping of ${field}`) : new Map<string, YamlEntry>();
    return new Map(Array.from(entries.values(), (lane) => [lane.key, this.#readLane(lane)]));
  }

  #readLane(entry: YamlEntry): RouterLane {
    const entries = this.#reading.entries(entry.value);
    if (!entries) {
      const flow = isBlank(entry.value) ? undefined : this.#flowOf(entry.key, entry);
      return { when: "", ...(flow && { flow }) };
    }
    const title = `lane "${entry.key}" of ${this.title}`;
    reportUnknown({ fields: Object.keys(routerLaneFieldTypes), otherFields: [] }, title, entries, this.#reading);
    const flowEntry = entries.get("flow");
    const flow = flowEntry && this.#flowOf(entry.key, flowEntry);
    return { when: readText(entries.get("when")?.value ?? null) ?? "", ...(flow && { flow }) };
  }

  writtenLanes(): { lane: string; isBlank: boolean }[] {
    return [...this.site.texts].map(([lane, { value }]) => ({ lane, isBlank: isEmptyText(value) }));
  }

  agentFields(options: AgentFieldOptions): z.infer<typeof agentSchema> {
    const fields: Partial<Record<AgentField, unknown>> = {};
    for (const entry of this.site.entries.values()) {
      if (!isAgentField(entry.key) || isBlank(entry.value)) continue;
      const result = this.#agentField(entry, entry.key, options);
      if (result) fields[entry.key] = result.data;
    }
    for (const [alias, field] of Object.entries(options.aliases)) {
      const text = readText(this.site.entries.get(alias)?.value ?? null);
      if (text !== null) fields[field] = text;
    }
    return agentSchema.parse(fields);
  }

  #agentField(
    entry: YamlEntry,
    field: AgentField,
    { texts, prose, unfilled }: AgentFieldOptions,
  ): { data: unknown } | null {
    const reading = this.#reading;
    const filled = unfilled.includes(field) ? null : reading.lookUp(entry, prose.includes(field));
    if (filled && filled.value === undefined) return null;
    const rawValue = filled?.value ?? reading.toJson(entry.value);
    const textValue = filled ? String(rawValue) : (readText(entry.value) ?? rawValue);
    const result = agentSchema.shape[field].safeParse(texts.includes(field) ? textValue : rawValue);
    if (result.success) return { data: result.data };
    const actual = `${describeNode(entry.value)}${describeFilled(filled?.value)}`;
    if (isAgentChoice(field)) return this.#reportChoice(entry, field, actual);
    const reason = result.error.issues[0]?.message ?? "not valid";
    reading.reportInvalid(entry, entry.value, `\`${field}\` of ${this.title}: ${reason}; found ${actual}.`);
    return null;
  }

  /** Reports a value that is none of the few of its field; the repairs write one of them, the likeliest first. */
  #reportChoice(entry: YamlEntry, field: keyof typeof agentChoices, actual: string): null {
    const choices: readonly string[] = agentChoices[field];
    const near = nearest(readText(entry.value) ?? "", choices);
    const repairs = choices
      .toSorted((a, b) => Number(b === near) - Number(a === near))
      .map((value): Repair => {
        const edit: Edit = { type: "set-agent-field", name: this.name, field, value };
        return { title: `Write ${value}`, edit };
      });
    const message = `\`${field}\` of ${this.title} must be one of ${choices.join(", ")}; found ${actual}.`;
    this.#reading.report("invalid-value", "error", message, entry.value ?? entry.keyNode, repairs);
    return null;
  }

  fieldTexts(): FieldTexts {
    return this.#reading.written;
  }

  report(code: ProblemCode, message: string): void {
    this.#reading.report(code, "error", message, this.#keyNode);
  }
}

function reportUnknown(
  { fields, otherFields }: Pick<NodeKind, "fields" | "otherFields">,
  title: string,
  entries: YamlEntries,
  reading: EntryReader,
): void {
  for (const entry of entries.values())
    if (!fields.includes(entry.key) && !otherFields.includes(entry.key)) reading.reportUnknownKey(entry, fields, title);
}

const toSite = (node: YamlEntry["value"], entries: YamlEntries): SourceTopology => ({
  node,
  entries,
  references: [],
  texts: new Map(),
});

/** Whether nothing is written there, with quotes or without: nothing can be lost. */
const isEmptyText = (value: YamlEntry["value"]): boolean => isBlank(value) || readText(value)?.trim() === "";
