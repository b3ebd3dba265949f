import { printFlow } from "../../dsl/print";
import type { Scope } from "../../flow/edit";
import type { Flow, Json } from "../../flow/flow";
import type { TextChange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import { ownerOf, type Topology, textKind } from "../read/topology";
import { renderPair } from "../yaml/render-yaml";
import { isBlank } from "../yaml/yaml-nodes";
import { asMap, EntryEditor } from "./entry-editor";

/** The changes that make a scope say `topology`. */
export function writeTopology(document: SourceDocument, scope: Scope, topology: Topology): TextChange[] {
  const wanted = topologyEntries(document.flow, scope, topology);
  // Without a flow the root swarm would hold all agents.
  if (!topology && scope.type === "root" && document.flow.agents.size > 0) wanted.push(["flow", ""]);
  const site = document.topologies.get(ownerOf(scope));
  const editor = new EntryEditor(document.text);
  if (!site) return scope.type === "root" ? [newRootSwarm(document, editor, wanted)] : [];
  const map = asMap(site.node);
  if (!map) return fillBlank(document, scope, editor, wanted);
  const old = ["flow", "edges", "agents", "order"].flatMap((key) => site.entries.get(key) ?? []);
  const keep =
    topology && "expression" in topology
      ? old.filter(({ key }) => key !== "agents" || scope.type === "group" || site.entries.has("edges"))
      : old;
  const [first, ...others] = keep.toSorted((a, b) => (a.keyNode.range?.[0] ?? 0) - (b.keyNode.range?.[0] ?? 0));
  const [main, ...rest] = wanted;
  if (!main) return keep.map((entry) => editor.remove(map, entry));
  if (!first) return wanted.map(([key, value]) => editor.add(map, key, value));
  const change = editor.set(first, main[1], map.flow === true, first.key === main[0] ? undefined : main[0]);
  const separator = map.flow ? ", " : `${editor.eol}${" ".repeat(editor.indentAt(first.keyNode.range?.[0] ?? 0))}`;
  const slot = editor.slotOf(first, map.flow === true);
  const more = rest.map(([key, value]) => separator + renderPair(key, value, { ...slot, style: null })).join("");
  return [{ ...change, insert: change.insert + more }, ...others.map((entry) => editor.remove(map, entry))];
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
  wanted: readonly [string, Json][],
): TextChange[] {
  const owner = ownerOf(scope);
  const entry = owner === null ? document.sections.get("swarm") : document.declarations.get(owner)?.entry;
  if (!entry || !isBlank(entry.value)) return [];
  const value = Object.fromEntries([["type", scope.type === "group" ? "parallel" : "workflow"], ...wanted]);
  return [editor.set(entry, value, false)];
}

function newRootSwarm(document: SourceDocument, editor: EntryEditor, wanted: readonly [string, Json][]): TextChange {
  const { text } = document;
  const lines = wanted.map(
    ([key, value]) => `  ${renderPair(key, value, { inFlow: false, indent: 2, eol: editor.eol })}`,
  );
  const start = text === "" || text.endsWith("\n") ? "" : editor.eol;
  const insert = start + ["swarm:", "  type: workflow", ...lines, ""].join(editor.eol);
  return { from: text.length, to: text.length, insert };
}
