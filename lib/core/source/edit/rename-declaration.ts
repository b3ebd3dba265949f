import { isScalar } from "yaml";
import { accessTo, namesIn } from "../../condition/condition";
import { parseCondition } from "../../condition/parse";
import { parseFlow } from "../../dsl/parse";
import { printName } from "../../dsl/print";
import { type EditOf, renamePins } from "../../flow/edit";
import { namesOf } from "../../flow/expression";
import { findDeclaration } from "../../flow/flow";
import { canLookUp, namePlaces } from "../../flow/template-variables";
import type { TextChange, TextRange } from "../../flow/text-range";
import { kindOf } from "../../kinds/registry";
import type { SourceDocument } from "../read/source-document";
import { textKind } from "../read/topology";
import { renderKey, renderValue } from "../yaml/render-yaml";
import { rangeOfNode, readEntries, readText, type YamlEntry } from "../yaml/yaml-nodes";
import { changeText } from "./change-text";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { EntryEditor, repeatWhile } from "./entry-editor";
import { assertFreeName } from "./preconditions";
import { sectionOf } from "./write-declaration";

/** Renames a declaration wherever it is named: in lists and DSL texts, in conditions, in what instructions look up. */
export function rename(transaction: EditTransaction, { from: oldName, to: newName }: EditOf<"rename">): string[] {
  if (oldName === newName) return [newName];
  if (!transaction.document.declarations.has(oldName))
    throw new EditRefused("unknown-name", `There is no "${oldName}" in this flow.`);
  assertFreeName(transaction, newName);
  transaction.apply(renameChanges(transaction.document, new Map([[oldName, newName]])));
  // A second declaration of the name, which did not count, would come to life.
  repeatWhile(() => {
    if (!transaction.document.declarations.has(oldName)) return false;
    transaction.apply(renameDeclaration(transaction.document, oldName, newName));
    return true;
  });
  transaction.layout = renamePins(transaction.layout, oldName, newName);
  return [newName];
}

/** New names of declarations by their old ones. */
export type Names = ReadonlyMap<string, string>;

/** The changes that rename several declarations at once. The new names must be free. */
export const renameChanges = (document: SourceDocument, names: Names): TextChange[] =>
  withoutOverlaps([
    ...[...names].flatMap(([oldName, newName]) => renameDeclaration(document, oldName, newName)),
    ...[...document.topologies.keys()].flatMap((owner) => renameMembers(document, owner, names)),
    ...renameInConditions(document, "outputs", names),
    ...renameInLookUps(document, "outputs", names),
  ]);

/** The namespace of a name in a look-up. */
type LookedUp = "outputs" | "vars";

/** A place that several entries share through an alias is changed once. */
export function withoutOverlaps(changes: readonly TextChange[]): TextChange[] {
  const changesWithoutOverlap: TextChange[] = [];
  for (const change of changes.toSorted((a, b) => a.from - b.from))
    if (change.from >= (changesWithoutOverlap.at(-1)?.to ?? 0)) changesWithoutOverlap.push(change);
  return changesWithoutOverlap;
}

/** Nothing where the name is declared nowhere: its references may be there without it. */
function renameDeclaration(document: SourceDocument, oldName: string, newName: string): TextChange[] {
  const declaration = document.declarations.get(oldName);
  const range = rangeOfNode(declaration?.nameNode, document.text);
  if (!declaration || !range) return [];
  const inFlow = sectionOf(document, declaration)?.flow === true;
  const style = isScalar(declaration.nameNode) ? (declaration.nameNode.type ?? null) : null;
  const nameEntry = declaration.entry ? undefined : declaration.entries.get("name");
  // The comment on the first line of a block stays.
  if (nameEntry && style?.startsWith("BLOCK")) return [new EntryEditor(document.text).set(nameEntry, newName, false)];
  if (declaration.entry && !style?.startsWith("QUOTE")) return [{ ...range, insert: renderKey(newName, inFlow) }];
  return [{ ...range, insert: renderValue(newName, { inFlow, indent: 4, eol: "\n", style }) }];
}

/** Renames among the members of a group, swarm or control; `null` is the root swarm. */
function renameMembers(document: SourceDocument, owner: string | null, names: Names): TextChange[] {
  const topology = document.topologies.get(owner);
  if (!topology) return [];
  const references = topology.references.filter(({ name }) => names.has(name));
  if (references.length === 0) return [];
  const texts = [...topology.texts.values()].map((entry) => ({
    entry,
    whole: rangeOfNode(entry.value, document.text),
  }));
  const inside = (range: TextRange, textRange: TextRange | undefined): boolean =>
    textRange !== undefined && textRange.from <= range.from && range.to <= textRange.to;
  const listed = references.filter(({ range }) => !texts.some(({ whole: textRange }) => inside(range, textRange)));
  const written = texts.filter(({ whole: textRange }) => references.some(({ range }) => inside(range, textRange)));
  return [
    ...listed.map(({ name, range }) => renameInList(document, range, names.get(name) ?? name)),
    ...written.flatMap(({ entry }) => renameInText(document, owner, entry, names)),
  ];
}

function renameInList({ text }: SourceDocument, range: TextRange, to: string): TextChange {
  const style = { "'": "QUOTE_SINGLE", '"': "QUOTE_DOUBLE" }[text[range.from] ?? ""] ?? null;
  return { ...range, insert: renderValue(to, { inFlow: true, indent: 0, eol: "\n", style }) };
}

function renameInText(document: SourceDocument, owner: string | null, entry: YamlEntry, names: Names): TextChange[] {
  const isGroup = owner !== null && document.flow.groups.has(owner);
  const as = isGroup ? textKind(document.flow, { type: "group", name: owner }) : "flow";
  const { expression } = parseFlow(readText(entry.value) ?? "", { as });
  const changes = replaceNames(expression ? namesOf(expression) : [], names, (newName) => printName(newName));
  return changeText(document, entry, changes);
}

/** The changes that replace the old names by the new ones. */
const replaceNames = (
  references: readonly { name: string; range: TextRange }[],
  names: Names,
  write: (to: string) => string,
): TextChange[] =>
  references.flatMap(({ name, range }) => {
    const to = names.get(name);
    return to === undefined ? [] : [{ ...range, insert: write(to) }];
  });

/** `outputs.name` and `outputs["name"]` (or `vars…`) in the conditions of branches and loops. */
export function renameInConditions(document: SourceDocument, scope: LookedUp, names: Names): TextChange[] {
  return [...document.flow.controls.values()].flatMap((control) =>
    kindOf(control).conditionFields.flatMap((field): TextChange[] => {
      const entry = document.topologies.get(control.name)?.entries.get(field);
      const { expression } = parseCondition(readText(entry?.value ?? null) ?? "");
      if (!entry || !expression) return [];
      const references = namesIn(expression).filter((used) => used.scope === scope);
      return changeText(document, entry, replaceNames(references, names, accessTo));
    }),
  );
}

/** `${outputs.name}` in the instructions of agents and routers, `${vars.name}` in other fields too. */
export function renameInLookUps(document: SourceDocument, scope: LookedUp, names: Names): TextChange[] {
  return lookingEntries(document, scope).flatMap(({ owner, entry }) => {
    const references = namePlaces(readText(entry.value) ?? "", scope).map(({ name, ...range }) => ({ name, range }));
    const changes = replaceNames(references, names, (newName) => assertLookUp(owner, scope, newName));
    return changeText(document, entry, changes);
  });
}

/** The entries that may look something up, and whose they are. */
function lookingEntries(document: SourceDocument, scope: LookedUp): { owner: string; entry: YamlEntry }[] {
  const { flow, declarations, topologies, sections, yaml } = document;
  const pick = (owner: string, entries: ReadonlyMap<string, YamlEntry> | undefined, fields: readonly string[]) =>
    fields.flatMap((field) => {
      const entry = entries?.get(field);
      return entry ? [{ owner, entry }] : [];
    });
  const inDeclarations = [...declarations.values()].flatMap((sourceDeclaration) => {
    const prompts = kindOf(sourceDeclaration).promptFields;
    const declaration = scope === "vars" ? findDeclaration(flow, sourceDeclaration.name) : null;
    const written = Object.keys(declaration?.written ?? {});
    return pick(sourceDeclaration.name, sourceDeclaration.entries, [...prompts, ...written]);
  });
  if (scope !== "vars") return inDeclarations;
  const limits = readEntries(sections.get("limits")?.value, yaml) ?? undefined;
  return [
    ...inDeclarations,
    ...pick(flow.name, topologies.get(null)?.entries, Object.keys(flow.swarm.written ?? {})),
    ...pick(flow.name, limits, Object.keys(flow.limits.written ?? {})),
  ];
}

/** Refuses a name that `${…}` cannot hold. */
function assertLookUp(owner: string, scope: LookedUp, name: string): string {
  if (canLookUp(name)) return name;
  throw new EditRefused(
    "invalid-name",
    `"${owner}" looks it up, and \${${scope}.…} cannot hold the name "${name}". Choose one without $, { and }.`,
  );
}
