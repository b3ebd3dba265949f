import type { YAMLMap } from "yaml";
import { keepLayout } from "../../dsl/keep-layout";
import { printFlow } from "../../dsl/print";
import type { Scope } from "../../flow/edit";
import type { Json } from "../../flow/flow";
import type { TextChange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import { containerOf, findScopeEntry, ownerOf, type Topology, textKind } from "../read/topology";
import { isBlank, readText, type YamlEntry } from "../yaml/yaml-nodes";
import { changeList, toTargetList } from "./change-list";
import { asMap, EntryEditor } from "./entry-editor";
import { keepComments } from "./keep-comments";
import { newSection } from "./write-declaration";

/** The changes that write `topology` as the topology of a scope. Comments of its members stay. */
export function writeTopology(document: SourceDocument, scope: Scope, topology: Topology): TextChange[] {
  const newEntries = topologyEntries(document, scope, topology);
  // Without a flow the root swarm would hold all agents.
  if (!topology && scope.type === "root" && document.flow.agents.size > 0) newEntries.push(["flow", ""]);
  const sourceTopology = document.topologies.get(ownerOf(scope));
  const editor = new EntryEditor(document.text);
  if (!sourceTopology) return scope.type === "root" ? [newRootSwarm(document, newEntries)] : [];
  const map = asMap(sourceTopology.node);
  if (!map) return fillBlank(document, scope, editor, newEntries);
  const isGroupText = textKind(document.flow, scope) !== "flow";
  const oldEntries = ["flow", "edges", "agents", "order"].flatMap((key) => sourceTopology.entries.get(key) ?? []);
  const replacedEntries =
    topology && "expression" in topology
      ? oldEntries.filter(({ key }) => key !== "agents" || isGroupText || sourceTopology.entries.has("edges"))
      : oldEntries;
  const ordered = replacedEntries.toSorted((a, b) => (a.keyNode.range?.[0] ?? 0) - (b.keyNode.range?.[0] ?? 0));
  const changes = replaceEntries(document, map, ordered, newEntries);
  const anchor = ordered.find(({ key }) => newEntries.some(([newKey]) => newKey === key)) ?? ordered[0];
  return anchor ? keepComments(editor, changes, anchor, ordered) : changes;
}

/** The changes that replace entries of a mapping by others: equal keys stay in their places. */
function replaceEntries(
  document: SourceDocument,
  map: YAMLMap,
  oldEntries: readonly YamlEntry[],
  newEntries: readonly [string, Json][],
): TextChange[] {
  const editor = new EntryEditor(document.text);
  const inFlow = map.flow === true;
  const isKept = ({ key }: YamlEntry): boolean => newEntries.some(([newKey]) => newKey === key);
  const spare = oldEntries.filter((entry) => !isKept(entry));
  const added: [string, Json][] = [];
  const changes = newEntries.flatMap(([key, value]): readonly TextChange[] => {
    const entry = oldEntries.find((oldEntry) => oldEntry.key === key);
    if (entry)
      return isList(value)
        ? changeList(editor, entry, toTargetList(document, value), inFlow)
        : [editor.set(entry, value, inFlow)];
    const replaced = spare.shift();
    if (replaced) return [editor.set(replaced, value, inFlow, key)];
    added.push([key, value]);
    return [];
  });
  return [...changes, ...editor.removeEntries(map, spare), ...added.map(([key, value]) => editor.add(map, key, value))];
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value) && value.length > 0;

function topologyEntries(document: SourceDocument, scope: Scope, topology: Topology): [key: string, value: Json][] {
  if (!topology) return [];
  if ("expression" in topology) {
    const as = textKind(document.flow, scope);
    const entry = document.topologies.get(ownerOf(scope))?.entries.get("flow");
    return [["flow", keepLayout(readText(entry?.value ?? null) ?? "", printFlow(topology.expression, { as }), as)]];
  }
  const linked = new Set(topology.draft.edges.flat());
  const alone = topology.draft.nodes.filter((node) => !linked.has(node));
  const edges: [string, Json] = ["edges", topology.draft.edges];
  return alone.length > 0 ? [edges, ["agents", alone]] : [edges];
}

/** A swarm that has a name and nothing else. */
function fillBlank(
  document: SourceDocument,
  scope: Scope,
  editor: EntryEditor,
  newEntries: readonly [string, Json][],
): TextChange[] {
  const entry = findScopeEntry(document, scope);
  if (!entry || !isBlank(entry.value)) return [];
  const value = Object.fromEntries([["type", containerOf(document.flow, scope)?.mode ?? "workflow"], ...newEntries]);
  return [editor.set(entry, value, false)];
}

/** The change that adds a root swarm to a text. */
export const newRootSwarm = (document: SourceDocument, newEntries: readonly [string, Json][]): TextChange =>
  newSection(document, "swarm", { type: "workflow", ...Object.fromEntries(newEntries) });
