import { isScalar } from "yaml";
import { accessTo, namesIn } from "../../condition/condition";
import { parseCondition } from "../../condition/parse";
import { parseFlow } from "../../dsl/parse";
import { printName } from "../../dsl/print";
import { renamePins } from "../../flow/edit";
import { namesOf } from "../../flow/expression";
import { findDeclaration } from "../../flow/flow";
import { canLookUp, namePlaces } from "../../flow/template-variables";
import type { Range, TextChange } from "../../flow/text-range";
import { conditionFields } from "../read/check-conditions";
import { entriesByKey } from "../read/read-declaration";
import type { SourceDocument } from "../read/source-document";
import { textKind } from "../read/topology";
import { renderKey, renderValue } from "../yaml/render-yaml";
import { rangeOfNode, readEntries, readText, type YamlEntry } from "../yaml/yaml-nodes";
import { changeText } from "./change-text";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { assertFreeName } from "./preconditions";
import { sectionOf } from "./write-declaration";

/** Renames a declaration wherever it is named: in lists and DSL texts, in conditions, in what instructions look up. */
export function rename(changing: EditTransaction, from: string, to: string): string[] {
  if (from === to) return [to];
  if (!changing.document.declarations.has(from))
    throw new EditRefused("unknown-name", `There is no "${from}" in this flow.`);
  assertFreeName(changing, to);
  changing.apply(renameChanges(changing.document, new Map([[from, to]])));
  changing.layout = renamePins(changing.layout, from, to);
  return [to];
}

/** New names of declarations by their old ones. */
export type Names = ReadonlyMap<string, string>;

/** The changes that rename several declarations at once. Nothing else may be called as one of the new names says. */
export const renameChanges = (document: SourceDocument, names: Names): TextChange[] =>
  withoutOverlaps([
    ...[...names].map(([from, to]) => renameDeclaration(document, from, to)),
    ...[...document.topologies.keys()].flatMap((owner) => renameMembers(document, owner, names)),
    ...renameInConditions(document, "outputs", names),
    ...renameInLookUps(document, "outputs", names),
  ]);

/** What a name stands for where it is looked up. */
type LookedUp = "outputs" | "vars";

/** A place that several entries share through an alias is changed once. */
export function withoutOverlaps(changes: readonly TextChange[]): TextChange[] {
  const kept: TextChange[] = [];
  for (const change of changes.toSorted((a, b) => a.from - b.from))
    if (change.from >= (kept.at(-1)?.to ?? 0)) kept.push(change);
  return kept;
}

function renameDeclaration(document: SourceDocument, from: string, to: string): TextChange {
  const site = document.declarations.get(from);
  const range = rangeOfNode(site?.nameNode, document.text) ?? { from: 0, to: 0 };
  const inFlow = site !== undefined && sectionOf(document, site)?.flow === true;
  if (site?.entry) return { ...range, insert: renderKey(to, inFlow) };
  const style = isScalar(site?.nameNode) ? (site.nameNode.type ?? null) : null;
  return { ...range, insert: renderValue(to, { inFlow, indent: 4, eol: "\n", style }) };
}

/** Renames among the members of a group, swarm or control; `null` is the root swarm. */
function renameMembers(document: SourceDocument, owner: string | null, names: Names): TextChange[] {
  const site = document.topologies.get(owner);
  if (!site) return [];
  const found = site.references.filter(({ name }) => names.has(name));
  if (found.length === 0) return [];
  const texts = [...site.texts.values()].map((entry) => ({ entry, whole: rangeOfNode(entry.value, document.text) }));
  const inside = (range: Range, whole: Range | undefined): boolean =>
    whole !== undefined && whole.from <= range.from && range.to <= whole.to;
  const listed = found.filter(({ range }) => !texts.some(({ whole }) => inside(range, whole)));
  const written = texts.filter(({ whole }) => found.some(({ range }) => inside(range, whole)));
  return [
    ...listed.map(({ name, range }) => renameInList(document, range, names.get(name) ?? name)),
    ...written.flatMap(({ entry }) => renameInText(document, owner, entry, names)),
  ];
}

const quotes = new Map([
  ["'", "QUOTE_SINGLE"],
  ['"', "QUOTE_DOUBLE"],
]);

function renameInList({ text }: SourceDocument, range: Range, to: string): TextChange {
  const style = quotes.get(text[range.from] ?? "") ?? null;
  return { ...range, insert: renderValue(to, { inFlow: true, indent: 0, eol: "\n", style }) };
}

function renameInText(document: SourceDocument, owner: string | null, entry: YamlEntry, names: Names): TextChange[] {
  const isGroup = owner !== null && document.flow.groups.has(owner);
  const as = isGroup ? textKind(document.flow, { type: "group", name: owner }) : "flow";
  const { expression } = parseFlow(readText(entry.value) ?? "", { as });
  const found = expression ? namesOf(expression) : [];
  return changeText(
    document,
    entry,
    replaceNames(found, names, (to) => printName(to)),
  );
}

/** The changes that write the new names where the old ones stand. */
const replaceNames = (
  found: readonly { name: string; range: Range }[],
  names: Names,
  write: (to: string) => string,
): TextChange[] =>
  found.flatMap(({ name, range }) => {
    const to = names.get(name);
    return to === undefined ? [] : [{ ...range, insert: write(to) }];
  });

/** `outputs.name` and `outputs["name"]` (or `vars…`) in the conditions of branches and loops. */
export function renameInConditions(document: SourceDocument, scope: LookedUp, names: Names): TextChange[] {
  return [...document.flow.controls.values()].flatMap((control) =>
    conditionFields[control.type].flatMap((field): TextChange[] => {
      const entry = document.topologies.get(control.name)?.entries.get(field);
      const { expression } = parseCondition(readText(entry?.value ?? null) ?? "");
      if (!entry || !expression) return [];
      const found = namesIn(expression).filter((used) => used.scope === scope);
      return changeText(document, entry, replaceNames(found, names, accessTo));
    }),
  );
}

/** `${outputs.name}` in the instructions of agents and routers, `${vars.name}` in other fields too. */
export function renameInLookUps(document: SourceDocument, scope: LookedUp, names: Names): TextChange[] {
  return lookingEntries(document, scope).flatMap(({ owner, entry }) => {
    const found = namePlaces(readText(entry.value) ?? "", scope).filter(({ name }) => names.has(name));
    const places = found.map(({ name, from, to }) => ({ name, range: { from, to } }));
    return changeText(
      document,
      entry,
      replaceNames(places, names, (to) => assertLookUp(owner, scope, to)),
    );
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
  const inDeclarations = [...declarations.values()].flatMap((site) => {
    const prompts = site.type === "agent" || site.type === "router" ? ["instructions", "system_prompt"] : [];
    const found = scope === "vars" ? findDeclaration(flow, site.name) : null;
    const written = Object.keys(found?.written ?? {});
    return pick(site.name, site.entries, [...prompts, ...written]);
  });
  if (scope !== "vars") return inDeclarations;
  const limits = entriesByKey(readEntries(sections.get("limits")?.value, yaml) ?? []);
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
