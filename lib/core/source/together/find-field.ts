import { isMap, isNode, isScalar, type Node } from "yaml";
import type { Edit } from "../../flow/edit";
import type { NodeType } from "../../flow/flow";
import type { TextRange } from "../../flow/text-range";
import { toSharedWriting } from "../../kinds/field-types";
import { kindOf } from "../../kinds/registry";
import { declaringSections } from "../read/sections";
import type { SourceDocument } from "../read/source-document";
import { rangeOfPair } from "../yaml/pair-position";
import { rangeOfNode, readEntries, toEntry, type YamlEntry } from "../yaml/yaml-nodes";
import { listTexts } from "./diff-fields";
import { readSharedText } from "./shared-style";
import { findEditedField, findSite } from "./text-site";

/** The text in a field that a range of the file is in, as an edit that sets it; null: the range is elsewhere. */
export function findTextAt(document: SourceDocument, { from: start, to: end }: TextRange): Edit | null {
  const holds = (edit: Edit): boolean => {
    const value = findEditedField(document, edit)?.entry?.pair.value;
    const range = typeof value === "object" && value !== null && "range" in value ? value.range : null;
    return Array.isArray(range) && range[0] <= start && end <= range[1] + 1;
  };
  return listTexts(document, { from: start, to: end }).find(holds) ?? null;
}

/** Whether the text that an edit sets is a condition: two of them are no valid one together. */
export function isCondition({ declarations }: Pick<SourceDocument, "declarations">, edit: Edit): boolean {
  const type = edit.type === "set-control-field" ? declarations.get(edit.name)?.type : undefined;
  const [key = ""] = edit.type === "set-control-field" ? edit.path : [];
  return type !== undefined && kindOf({ type }).fieldTypes[key] === "condition";
}

/** Where the letters of a text are that an edit sets, without its quotes; null: there is no such text. */
export function findLetters(document: SourceDocument, edit: Edit): TextRange | null {
  const field = findEditedField(document, edit);
  const site = field && findSite(document, field);
  const shared = site && readSharedText(document, site);
  if (shared?.type === "literal") {
    const [first, last] = [shared.literal.lines[0], shared.literal.lines.at(-1)];
    return first && last ? { from: first.from, to: last.to } : null;
  }
  const range = rangeOfNode(site?.node, document.text);
  if (!range) return null;
  return shared ? { from: range.from + 1, to: range.to - 1 } : range;
}

/** A field whose value is replaced as a whole: what two people wrote side by side is no value. */
export interface Choice {
  key: string;
  /** Its value. */
  range: TextRange;
}

/** The field whose value holds a range of the file; null: none does, or the value is a text or lists steps of the flow. */
export function findChoiceAt(document: SourceDocument, { from: start, to: end }: TextRange): Choice | null {
  if (document.broken) return null;
  const part = document.text.slice(start, end);
  const [first, last] = [start + part.length - part.trimStart().length, end - part.length + part.trimEnd().length];
  for (const { key, pair } of listEntriesAt(document, start)) {
    const range = rangeOfNode(isNode(pair.value) ? pair.value : null, document.text);
    if (range && range.from <= first && last <= range.to) return { key, range };
  }
  return null;
}

/**
 * The declaration of whose alternative fields a range of the file is one, with its key and a comma beside it; null: the range
 * is something else.
 */
export function findAlternativeAt(document: SourceDocument, { from: start, to: end }: TextRange): string | null {
  if (document.broken) return null;
  const part = document.text.slice(start, end);
  const [first, last] = [start + part.search(/[^\s,]|$/), end - (/[\s,]*$/.exec(part)?.[0].length ?? 0)];
  for (const [owner, { type, entries }] of document.declarations)
    for (const key of kindOf({ type }).alternativeFields) {
      const pair = entries.get(key)?.pair;
      const range = pair && rangeOfPair(pair, document.text);
      if (range && range.from === first && last <= range.to) return owner;
    }
  return null;
}

/** The name of what is declared where a range of the file is in its key: an agent, a variable, a lane. */
export function findNameAt(document: SourceDocument, { from: start, to: end }: TextRange): string | null {
  if (document.broken) return null;
  const isHere = (node: Node): boolean => {
    const range = rangeOfNode(node, document.text);
    return range !== undefined && range.from <= start && end <= range.to;
  };
  const keysOf = (value: unknown): YamlEntry[] => [...(readEntries(value, document.yaml)?.values() ?? [])];
  const named = [...document.declarations].flatMap(([name, { type, nameNode, entries }]) => [
    { name, node: nameNode },
    ...Object.keys(kindOf({ type }).nestedFieldTypes).flatMap((field) =>
      keysOf(entries.get(field)?.value).map(({ key, keyNode }) => ({ name: key, node: keyNode })),
    ),
  ]);
  // Of a name that is declared twice the document has one declaration.
  const others = [...declaringSections(), "vars"].flatMap((section) => {
    const value = document.sections.get(section)?.value;
    return isMap(value) ? value.items.flatMap((pair) => toEntry(pair, document.yaml) ?? []) : [];
  });
  return (
    [...named, ...others.map(({ key, keyNode }) => ({ name: key, node: keyNode }))].find(({ node }) => isHere(node))
      ?.name ?? null
  );
}

/** The choices of a file. `owner`: the declaration that has it; null: it is a setting of the file, and the key has its section. */
export function* listChoices(document: SourceDocument): Generator<Choice & { owner: string | null }> {
  if (document.broken) return;
  const toChoices = (owner: string | null, entries: readonly YamlEntry[]): (Choice & { owner: string | null })[] =>
    entries.flatMap(({ key, pair }) => {
      const range = rangeOfNode(isNode(pair.value) ? pair.value : null, document.text);
      return range ? [{ owner, key, range }] : [];
    });
  for (const [section, entries] of listSettings(document))
    for (const choice of toChoices(null, entries))
      yield { ...choice, key: section === "" ? choice.key : `${section}.${choice.key}` };
  for (const owner of document.declarations.keys()) yield* toChoices(owner, listOwnChoices(document, owner));
}

/** The fields with choices in the declaration that holds an offset and in the settings of the file. */
function listEntriesAt(document: SourceDocument, offset: number): YamlEntry[] {
  const declared = [...document.declarations.keys()].flatMap((owner) => {
    const range = document.rangeOf(owner);
    const isHere = range && range.from <= offset && offset <= range.to;
    return isHere ? listOwnChoices(document, owner) : [];
  });
  return [...listSettings(document).flatMap(([, entries]) => entries), ...declared];
}

/** By section; of the file itself an empty one. */
function listSettings(document: SourceDocument): [section: string, entries: YamlEntry[]][] {
  const entriesOf = (section: string): YamlEntry[] => [
    ...(readEntries(document.sections.get(section)?.value, document.yaml)?.values() ?? []),
  ];
  const name = document.sections.get("name");
  const vars = entriesOf("vars").filter(({ value }) => !isScalar(value) || typeof value.value !== "string");
  const swarm = entriesOf("swarm").filter(({ key }) => isChoice("swarm", key));
  return [
    ["", name ? [name] : []],
    ["vars", vars],
    ["limits", entriesOf("limits")],
    ["swarm", swarm],
  ];
}

function listOwnChoices({ declarations }: SourceDocument, owner: string): YamlEntry[] {
  const declaration = declarations.get(owner);
  if (!declaration) return [];
  return [...declaration.entries.values()].filter(({ key }) => isChoice(declaration.type, key));
}

function isChoice(type: NodeType, key: string): boolean {
  const { fieldTypes, otherFieldTypes } = kindOf({ type });
  const fieldType = fieldTypes[key] ?? otherFieldTypes[key];
  return fieldType !== undefined && toSharedWriting(fieldType) === "value";
}
