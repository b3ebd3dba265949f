import { fromGraph, toGraph } from "../../dsl/series-parallel";
import type { Scope } from "../../flow/edit";
import type { Expression, FlowTextKind } from "../../flow/expression";
import { defaultSeparator, type Flow } from "../../flow/flow";
import { Graph, type Link } from "../../flow/graph";
import { type Group, toFlowTextKind } from "../../kinds/group";
import { isGroup } from "../../kinds/members";
import { lanesOf } from "../../kinds/registry";
import type { Swarm } from "../../kinds/swarm";
import type { YamlEntry } from "../yaml/yaml-nodes";
import type { SourceDocument } from "./source-document";

/** The topology of a scope: a flow text, or a draft that has none. */
export type Topology = { expression: Expression } | { draft: Graph } | null;

export const ownerOf = (scope: Scope): string | null => (scope.type === "root" ? null : scope.name);

/** The group or swarm of a scope; null for a lane of a control. */
export function containerOf(flow: Flow, scope: Scope): Group | Swarm | null {
  if (scope.type === "root") return flow.swarm;
  if (scope.type === "lane") return null;
  return (scope.type === "group" ? flow.groups.get(scope.name) : flow.swarms.get(scope.name)) ?? null;
}

/** The entry that declares what a scope belongs to. */
export const findScopeEntry = ({ sections, declarations }: SourceDocument, scope: Scope): YamlEntry | undefined =>
  scope.type === "root" ? sections.get("swarm") : declarations.get(scope.name)?.entry;

/** Only a workflow has an order: the members and links of other swarms mean something else. */
export function isWorkflow(flow: Flow, scope: Scope): boolean {
  const container = containerOf(flow, scope);
  return !container || isGroup(container) || container.mode === "workflow";
}

/** The separator that joins the answers of members in parentheses in a scope. */
export function separatorOf(flow: Flow, scope: Scope): string {
  return containerOf(flow, scope)?.separator ?? defaultSeparator;
}

export function topologyOf(flow: Flow, scope: Scope): Topology {
  if (scope.type === "lane") {
    const control = flow.controls.get(scope.name);
    const expression = control && lanesOf(control).find(([lane]) => lane === scope.lane)?.[1];
    return expression ? { expression } : null;
  }
  const container = containerOf(flow, scope);
  if (container?.flow) return { expression: container.flow };
  if (!container || !("edges" in container) || !container.edges) return null;
  return { draft: draftGraph(container) };
}

/** The graph of the `edges:` of a swarm; its `agents:` are nodes without links. */
export const draftGraph = ({ agents = [], edges = [] }: Swarm): Graph => Graph.of([...agents, ...edges.flat()], edges);

export function graphOf(topology: Topology): Graph {
  if (!topology) return new Graph();
  return "draft" in topology ? topology.draft : toGraph(topology.expression);
}

/**
 * The topology of an acyclic graph. Transitive links have no flow text: they
 * are taken out and named in `dropped`.
 */
export function toTopology(graph: Graph): { topology: Topology; dropped: Link[] } {
  const dropped: Link[] = [];
  for (;;) {
    const decomposition = fromGraph(graph);
    if (decomposition.ok) return { topology: { expression: decomposition.expression }, dropped };
    if (decomposition.reason === "empty") return { topology: null, dropped };
    if (decomposition.reason !== "redundant-edge") return { topology: { draft: graph }, dropped };
    graph.removeEdge(...decomposition.edge);
    dropped.push(decomposition.edge);
  }
}

export function textKind(flow: Flow, scope: Scope): FlowTextKind {
  const container = containerOf(flow, scope);
  return container && isGroup(container) ? toFlowTextKind(container.mode) : "flow";
}
