import { isAlias, isMap, isScalar } from "yaml";
import { parseFlow } from "../dsl/parse";
import { printName } from "../dsl/print";
import { type AgentField, type Edit, type Layout, renamePins } from "../flow/edit";
import { namesOf } from "../flow/expression";
import { findDeclaration, type Json } from "../flow/flow";
import { keyNames } from "../flow/keys";
import type { Range, TextChange } from "../flow/text";
import { applyChanges } from "../flow/text-change";
import { type Changing, EditRefused } from "./changing";
import { declare, sectionOf, undeclare } from "./declarations";
import { removeMembers, rosterAt } from "./edit-roster";
import { joinScope, requireFreeName, writeScope } from "./edit-topology";
import { asMap, EntryEditor } from "./entries";
import type { SourceDocument } from "./read-source";
import { without } from "./regroup";
import { renderKey, renderValue } from "./render";
import { graphOf, type Topology, textKind, topologyFrom, topologyOf } from "./topology";
import { type Entry, rangeOfNode, readText } from "./yaml-view";

export function addAgent(changing: Changing, edit: Extract<Edit, { type: "add-agent" }>): string[] {
  const { name, scope, after } = edit;
  const before = topologyOf(changing.document.flow, scope);
  if (after !== undefined && !graphOf(before).has(after) && !findDeclaration(changing.document.flow, after))
    throw new EditRefused("unknown-name", `There is no "${after}" in this flow to put "${name}" behind.`);
  declareAgent(changing, edit);
  joinScope(changing, scope, name, after);
  return [name];
}

export function declareAgent(
  changing: Changing,
  { name, model, instructions }: Pick<Extract<Edit, { type: "declare-agent" }>, "name" | "model" | "instructions">,
): undefined {
  requireFreeName(changing, name);
  const fields: [string, Json][] = [];
  if (model !== undefined) fields.push(["model", model]);
  if (instructions) fields.push(["instructions", instructions]);
  changing.apply([declare(changing.document, "agents", name, fields)]);
}

export function deleteNodes(
  changing: Changing,
  { scope, names, declarations }: Extract<Edit, { type: "delete-nodes" }>,
): string[] {
  const gone = new Set(names);
  const topology = topologyOf(changing.document.flow, scope);
  if (rosterAt(changing, scope)) removeMembers(changing, scope, gone);
  else if (topology && changing.document.sections.has("swarm")) writeScope(changing, scope, removeFrom(topology, gone));
  if (declarations) for (const name of names) removeDeclaration(changing, name);
  changing.layout = dropPins(changing.layout, gone);
  return [];
}

function removeFrom(topology: Exclude<Topology, null>, gone: ReadonlySet<string>): Topology {
  if ("expression" in topology) {
    const left = without(topology.expression, gone);
    return left && { expression: left };
  }
  for (const name of gone) {
    if (!topology.draft.has(name)) continue;
    for (const from of topology.draft.predecessors(name))
      for (const to of topology.draft.successors(name)) topology.draft.addEdge(from, to);
    topology.draft.removeNode(name);
  }
  return topologyFrom(topology.draft).topology;
}

/** Takes a declaration out unless another topology still uses it. */
function removeDeclaration(changing: Changing, name: string): void {
  const site = changing.document.declarations.get(name);
  const used = [...changing.document.topologies.values()].some(({ references }) =>
    references.some((one) => one.name === name),
  );
  if (!site || used) return;
  changing.apply([undeclare(changing.document, site)]);
  if (changing.document.broken)
    throw new EditRefused(
      "unsupported",
      `Other parts of the file repeat the text of "${name}" through an alias. Write it out there first.`,
    );
}

function dropPins(layout: Layout, gone: ReadonlySet<string>): Layout {
  const pins = Object.entries(layout.pins).filter(([key]) => !keyNames(key).some((name) => gone.has(name)));
  return pins.length === Object.keys(layout.pins).length ? layout : { ...layout, pins: Object.fromEntries(pins) };
}

export function rename(changing: Changing, from: string, to: string): string[] {
  if (from === to) return [to];
  if (!changing.document.declarations.has(from))
    throw new EditRefused("unknown-name", `There is no "${from}" in this flow.`);
  requireFreeName(changing, to);
  const original = changing.document;
  changing.apply([renameDeclaration(original, from, to), ...renameReferences(original, from, to)]);
  changing.layout = renamePins(changing.layout, from, to);
  return [to];
}

function renameDeclaration(document: SourceDocument, from: string, to: string): TextChange {
  const site = document.declarations.get(from);
  const range = rangeOfNode(site?.nameNode, document.text) ?? { from: 0, to: 0 };
  const inFlow = site !== undefined && sectionOf(document, site)?.flow === true;
  if (site?.entry) return { ...range, insert: renderKey(to, inFlow) };
  const style = isScalar(site?.nameNode) ? (site.nameNode.type ?? null) : null;
  return { ...range, insert: renderValue(to, { inFlow, indent: 4, eol: "\n", style }) };
}

/** A name that is written the same in the DSL and in every YAML style, wherever it stands. */
const plainName = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_ ./-]*[\p{L}\p{N}_])?$/u;

/** A place that several topologies share through an alias is changed once. */
function renameReferences(document: SourceDocument, from: string, to: string): TextChange[] {
  const changes = new Map<number, TextChange>();
  for (const owner of document.topologies.keys())
    for (const change of renameIn(document, owner, from, to)) changes.set(change.from, change);
  return [...changes.values()];
}

function renameIn(document: SourceDocument, owner: string | null, from: string, to: string): TextChange[] {
  const site = document.topologies.get(owner);
  if (!site) return [];
  const found = site.references.filter(({ name }) => name === from).map(({ range }) => range);
  const texts = [...site.texts.values()].map((entry) => ({ entry, whole: rangeOfNode(entry.value, document.text) }));
  const inside = (range: Range, whole: Range | undefined): boolean =>
    whole !== undefined && whole.from <= range.from && range.to <= whole.to;
  const listed = found
    .filter((range) => !texts.some(({ whole }) => inside(range, whole)))
    .map((range) => ({ ...range, insert: renderValue(to, { inFlow: true, indent: 0, eol: "\n" }) }));
  const written = texts.flatMap(({ entry, whole }) => {
    const inText = found.filter((range) => inside(range, whole));
    return inText.length === 0 ? [] : renameInText(document, { owner, entry, inText }, from, to);
  });
  return [...listed, ...written];
}

interface WrittenNames {
  owner: string | null;
  entry: Entry;
  /** Where the name stands in the value of the entry. */
  inText: readonly Range[];
}

function renameInText(document: SourceDocument, written: WrittenNames, from: string, to: string): TextChange[] {
  const { owner, entry, inText } = written;
  const inPlace = plainName.test(to) && inText.every((range) => document.text.slice(range.from, range.to) === from);
  if (inPlace) return inText.map((range) => ({ ...range, insert: to }));
  const isGroup = owner !== null && document.flow.groups.has(owner);
  const as = isGroup ? textKind(document.flow, { type: "group", name: owner }) : "flow";
  const text = readText(entry.value) ?? "";
  const { expression } = parseFlow(text, { as });
  const names = expression ? namesOf(expression).filter(({ name }) => name === from) : [];
  const renamed = applyChanges(
    text,
    names.map(({ range }) => ({ ...range, insert: printName(to) })),
  );
  const site = document.topologies.get(owner);
  const inFlow = asMap(site?.node ?? null)?.flow === true || site?.entries.get(entry.key)?.pair !== entry.pair;
  return [new EntryEditor(document.text).set(entry, renamed, inFlow)];
}

export function setAgentField(changing: Changing, name: string, field: AgentField, value: Json | undefined): string[] {
  const { document } = changing;
  const site = document.declarations.get(name);
  if (site?.kind !== "agent") throw new EditRefused("unknown-name", `There is no agent "${name}" any more.`);
  if (isAlias(site.entry?.pair.value))
    throw new EditRefused(
      "unsupported",
      `"${name}" shares its text with others through an alias. Write its own fields in the text first.`,
    );
  const editor = new EntryEditor(document.text);
  const map = isMap(site.value) ? site.value : null;
  const entry = site.entries.get(field) ?? (field === "instructions" ? site.entries.get("system_prompt") : undefined);
  if (value === undefined) {
    if (map && entry)
      changing.apply([
        // An agent without any field left is written `name: {}`.
        map.items.length === 1 && site.entry
          ? editor.set(site.entry, {}, map.flow === true)
          : editor.remove(map, entry),
      ]);
  } else if (map && entry) changing.apply([editor.set(entry, value, map.flow === true)]);
  else if (map) changing.apply([editor.add(map, field, (slot) => renderValue(value, slot))]);
  else if (site.entry) changing.apply([editor.set(site.entry, { [field]: value }, inFlowSection(document))]);
  return [name];
}

function inFlowSection(document: SourceDocument): boolean {
  const value = document.sections.get("agents")?.value;
  return isMap(value) && value.flow === true;
}
