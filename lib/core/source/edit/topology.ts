import type { FlowTextKind } from "../../dsl/parse";
import { printFlow } from "../../dsl/print";
import { fromGraph, toGraph } from "../../dsl/series-parallel";
import type { Scope } from "../../flow/edit";
import type { Expression } from "../../flow/expression";
import { defaultSeparator, type Flow, type Json } from "../../flow/flow";
import { Graph, type Link } from "../../flow/graph";
import type { TextChange } from "../../flow/text-range";
import type { Group } from "../../kinds/group";
import { lanesOf } from "../../kinds/registry";
import type { Swarm } from "../../kinds/swarm";
import type { SourceDocument } from "../read/read-source";
import { listsMembers } from "../read/read-topology";
import { renderPair } from "../yaml/render";
import { isBlank } from "../yaml/yaml-view";
import { asMap, EntryEditor } from "./entries";

/** What a scope says about who runs when: a text, or a drawing that no text can say. */
export type Topology = { expression: Expression } | { draft: Graph } | null;

export const ownerOf = (scope: Scope): string | null => (scope.type === "root" ? null : scope.name);

/** Whether the file lists no members of the root swarm: then all agents are its members, in the order of the file. */
export function hasImpliedMembers({ sections, topologies, parts }: SourceDocument): boolean {
  const site = topologies.get(null);
  if (site) return !listsMembers(site);
  // A part that cannot be read may hold the root swarm.
  return !sections.has("swarm") && parts.broken.length === 0;
}

/** The group or swarm of a scope; null for a lane of a control. */
export function partOf(flow: Flow, scope: Scope): Group | Swarm | null {
  if (scope.type === "root") return flow.swarm;
  if (scope.type === "lane") return null;
  return (scope.type === "group" ? flow.groups.get(scope.name) : flow.swarms.get(scope.name)) ?? null;
}

/** Only a workflow has an order: the members and links of other swarms mean something else. */
export function isWorkflow(flow: Flow, scope: Scope): boolean {
  const part = partOf(flow, scope);
  return scope.type === "group" || scope.type === "lane" || !part || part.mode === "workflow";
}

/** What joins the answers of members that stand in parentheses in a scope. */
export function separatorOf(flow: Flow, scope: Scope): string {
  return partOf(flow, scope)?.separator ?? defaultSeparator;
}

export function topologyOf(flow: Flow, scope: Scope): Topology {
  if (scope.type === "lane") {
    const control = flow.controls.get(scope.name);
    const expression = control && lanesOf(control).find(([lane]) => lane === scope.lane)?.[1];
    return expression ? { expression } : null;
  }
  const part = partOf(flow, scope);
  if (part?.flow) return { expression: part.flow };
  if (!part || !("edges" in part) || !part.edges) return null;
  return { draft: draftGraph(part) };
}

/** What the `edges:` of a swarm draw; its `agents:` stand in it without links. */
export const draftGraph = ({ agents = [], edges = [] }: Swarm): Graph => Graph.of([...agents, ...edges.flat()], edges);

export function graphOf(topology: Topology): Graph {
  if (!topology) return new Graph();
  return "draft" in topology ? topology.draft : toGraph(topology.expression);
}

/**
 * The topology that a graph without cycles draws. Links that a longer way says already cannot stand in a text: they
 * are taken out and named in `dropped`.
 */
export function topologyFrom(graph: Graph): { topology: Topology; dropped: Link[] } {
  const dropped: Link[] = [];
  for (;;) {
    const found = fromGraph(graph);
    if (found.ok) return { topology: { expression: found.expression }, dropped };
    if (found.reason === "empty") return { topology: null, dropped };
    if (found.reason !== "redundant-edge") return { topology: { draft: graph }, dropped };
    graph.removeEdge(...found.edge);
    dropped.push(found.edge);
  }
}

/** The changes that make a scope say `topology`. */
export function writeTopology(document: SourceDocument, scope: Scope, topology: Topology): TextChange[] {
  const wanted = wantedEntries(document.flow, scope, topology);
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

function wantedEntries(flow: Flow, scope: Scope, topology: Topology): [key: string, value: Json][] {
  if (!topology) return [];
  if ("expression" in topology) return [["flow", printFlow(topology.expression, { as: textKind(flow, scope) })]];
  const linked = new Set(topology.draft.edges.flat());
  const alone = topology.draft.nodes.filter((node) => !linked.has(node));
  const edges: [string, Json] = ["edges", topology.draft.edges];
  return alone.length > 0 ? [edges, ["agents", alone]] : [edges];
}

export function textKind(flow: Flow, scope: Scope): FlowTextKind {
  const part = partOf(flow, scope);
  if (scope.type !== "group" || !part) return "flow";
  return part.mode === "serial" ? "group-serial" : "group-parallel";
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
