import { printFlow } from "../../dsl/print";
import type { Scope } from "../../flow/edit";
import type { Flow, Json } from "../../flow/flow";
import type { TextChange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import { containerOf, findScopeEntry, ownerOf, type Topology, textKind } from "../read/topology";
import { renderPair } from "../yaml/render-yaml";
import { isBlank } from "../yaml/yaml-nodes";
import { asMap, EntryEditor } from "./entry-editor";

/** The changes that write `topology` as the topology of a scope. */
export function writeTopology(document: SourceDocument, scope: Scope, topology: Topology): TextChange[] {
  const newEntries = topologyEntries(document.flow, scope, topology);
  // Without a flow the root swarm would hold all agents.
  if (!topology && scope.type === "root" && document.flow.agents.size > 0) newEntries.push(["flow", ""]);
  const sourceTopology = document.topologies.get(ownerOf(scope));
  const editor = new EntryEditor(document.text);
  if (!sourceTopology) return scope.type === "root" ? [newRootSwarm(editor, newEntries)] : [];
  const map = asMap(sourceTopology.node);
  if (!map) return fillBlank(document, scope, editor, newEntries);
  const isGroupText = textKind(document.flow, scope) !== "flow";
  const oldEntries = ["flow", "edges", "agents", "order"].flatMap((key) => sourceTopology.entries.get(key) ?? []);
  const replacedEntries =
    topology && "expression" in topology
      ? oldEntries.filter(({ key }) => key !== "agents" || isGroupText || sourceTopology.entries.has("edges"))
      : oldEntries;
  const [firstEntry, ...otherEntries] = replacedEntries.toSorted(
    (a, b) => (a.keyNode.range?.[0] ?? 0) - (b.keyNode.range?.[0] ?? 0),
  );
  const [mainEntry, ...furtherEntries] = newEntries;
  if (!mainEntry) return replacedEntries.map((entry) => editor.remove(map, entry));
  if (!firstEntry) return newEntries.map(([key, value]) => editor.add(map, key, value));
  const [key, value] = mainEntry;
  const change = editor.set(firstEntry, value, map.flow === true, firstEntry.key === key ? undefined : key);
  const separator = map.flow ? ", " : `${editor.eol}${" ".repeat(editor.indentAt(firstEntry.keyNode.range?.[0] ?? 0))}`;
  const slot = editor.slotOf(firstEntry, map.flow === true);
  const furtherText = furtherEntries
    .map(([key, value]) => separator + renderPair(key, value, { ...slot, style: null }))
    .join("");
  return [
    { ...change, insert: change.insert + furtherText },
    ...otherEntries.map((entry) => editor.remove(map, entry)),
  ];
}

function topologyEntries(flow: Flow, scope: Scope, topology: Topology): [key: string, value: Json][] {
  if (!topology) return [];
  if ("expression" in topology) return [["flow", printFlow(topology.expression, { as: textKind(flow, scope) })]];
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

/** The change that adds a root swarm at the end of a text. */
export function newRootSwarm(editor: EntryEditor, newEntries: readonly [string, Json][]): TextChange {
  const lines = newEntries.map(
    ([key, value]) => `  ${renderPair(key, value, { inFlow: false, indent: 2, eol: editor.eol })}`,
  );
  return editor.append(["swarm:", "  type: workflow", ...lines].join(editor.eol));
}
