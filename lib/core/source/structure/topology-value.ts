import * as z from "zod/mini";
import { parseFlow } from "../../dsl/parse";
import { printFlow } from "../../dsl/print";
import { toGraph } from "../../dsl/series-parallel";
import type { Scope } from "../../flow/edit";
import { type Expression, joinExpressions, mapNames, nameExpression, namesOf } from "../../flow/expression";
import { Graph, type Link } from "../../flow/graph";
import type { TextChange } from "../../flow/text-range";
import { isGroup } from "../../kinds/members";
import { rosterOf } from "../../kinds/swarm-roster";
import { setSwarmField } from "../edit/edit-roster";
import { writeScope } from "../edit/edit-topology";
import { EditRefused, EditTransaction } from "../edit/edit-transaction";
import { withoutNames } from "../edit/member-span";
import type { SourceDocument } from "../read/source-document";
import { containerOf, isWorkflow, topologyOf, toTopology } from "../read/topology";
import { mergeExpressions } from "./merge-expressions";

/** The members of a scope: in an order, or as a list with links. */
export type TopologyValue =
  | { type: "order"; expression: Expression | null }
  | { type: "links"; names: readonly string[]; links: readonly Link[] };

const empty: TopologyValue = { type: "order", expression: null };

export function readTopologyValue({ flow }: SourceDocument, scope: Scope): TopologyValue {
  const container = containerOf(flow, scope);
  if (container && !isGroup(container) && !isWorkflow(flow, scope)) {
    const links = container.edges ?? [];
    const names = container.agents || container.flow ? rosterOf(container) : links.flat();
    return { type: "links", names: [...new Set(names)], links };
  }
  const topology = topologyOf(flow, scope);
  if (topology && "draft" in topology)
    return { type: "links", names: topology.draft.nodes, links: topology.draft.edges };
  return { type: "order", expression: topology?.expression ?? null };
}

const storedSchema = z.union([
  z.object({ flow: z.string() }),
  z.object({ names: z.array(z.string()), links: z.array(z.tuple([z.string(), z.string()])) }),
]);

/** As a text that others read. */
export const printTopologyValue = (value: TopologyValue): string =>
  value.type === "order"
    ? JSON.stringify({ flow: value.expression ? printFlow(value.expression) : "" })
    : JSON.stringify({ names: value.names, links: value.links });

/** What cannot be read holds no member. */
export function parseTopologyValue(text: string): TopologyValue {
  const { data } = storedSchema.safeParse(parseJson(text));
  if (!data) return empty;
  if ("names" in data) return { type: "links", ...data };
  return { type: "order", expression: parseFlow(data.flow).expression };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const membersOfValue = (value: TopologyValue): string[] =>
  value.type === "links" ? [...value.names] : value.expression ? namesOf(value.expression).map(({ name }) => name) : [];

/** With the names of declarations replaced; of two members with one name the first one stays. */
export function renameInValue(value: TopologyValue, names: ReadonlyMap<string, string>): TopologyValue {
  if (names.size === 0) return value;
  const toName = (name: string): string => names.get(name) ?? name;
  if (value.type === "order") {
    const expression = value.expression && mapNames(value.expression, (name) => nameExpression(toName(name)));
    return { type: "order", expression: expression && withoutRepeats(expression, new Set()) };
  }
  const links = value.links.map(([a, b]): Link => [toName(a), toName(b)]);
  const newNames = [...new Set(value.names.map(toName))];
  const isJoined = newNames.length < new Set(value.names).size;
  return { ...value, names: newNames, links: isJoined && !hasCircle(toGraphOf(value)) ? withoutCircles(links) : links };
}

/** Links between two members that have one name now may close a circle: without those. */
function withoutCircles(links: readonly Link[]): Link[] {
  const graph = Graph.of([], []);
  for (const [source, target] of links) {
    graph.addNode(source);
    graph.addNode(target);
    if (source !== target && !graph.reachableFrom(target).has(source)) graph.addEdge(source, target);
  }
  return [...graph.edges];
}

function withoutRepeats(part: Expression, names: Set<string>): Expression | null {
  if (part.type === "name") {
    const isNew = !names.has(part.name);
    names.add(part.name);
    return isNew ? part : null;
  }
  const members = part.members.flatMap((member) => withoutRepeats(member, names) ?? []);
  return members.length > 0 ? joinExpressions(part.type, members) : null;
}

/** Without some members; their predecessors are linked with their successors. */
export function removeFromValue(value: TopologyValue, removed: ReadonlySet<string>): TopologyValue {
  if (value.type === "order")
    return { type: "order", expression: value.expression && withoutNames(value.expression, removed) };
  const graph = toGraphOf(value);
  for (const name of removed) bridge(graph, name);
  return { type: "links", names: graph.nodes, links: graph.edges };
}

/** Two versions of the members of one scope, made of `base` by people who did not know of each other. */
export interface TopologyVersions {
  base: TopologyValue;
  first: TopologyValue;
  second: TopologyValue;
}

/** `isRearranged`: what the second one changed about the order of the members is left out. */
export interface MergedTopology {
  value: TopologyValue;
  isRearranged: boolean;
}

export function mergeTopologies(
  { base, first, second }: TopologyVersions,
  joinType: "serial" | "parallel",
): MergedTopology {
  const values = [base, first, second];
  if (values.every((value) => value.type === "order")) {
    const [one, two, three] = values.map((value) => value.expression);
    const versions = { base: one ?? null, first: two ?? null, second: three ?? null };
    const { expression, isRearranged } = mergeExpressions(versions, joinType);
    return { value: { type: "order", expression }, isRearranged };
  }
  return mergeLinks(base, first, second);
}

/** The members and links of both, without what either of them removed; a link that closes a circle is left out. */
function mergeLinks(base: TopologyValue, first: TopologyValue, second: TopologyValue): MergedTopology {
  const [before, own, other] = [toGraphOf(base), toGraphOf(first), toGraphOf(second)];
  const isCyclic = [own, other].some(hasCircle);
  const merged = Graph.of(own.nodes, own.edges);
  let isRearranged = false;
  for (const name of other.nodes) if (!before.has(name)) merged.addNode(name);
  for (const [source, target] of before.edges)
    if (!other.hasEdge(source, target) && merged.hasEdge(source, target)) merged.removeEdge(source, target);
  for (const name of before.nodes) if (!other.has(name)) bridge(merged, name);
  for (const [source, target] of other.edges) {
    if (before.hasEdge(source, target) || !merged.has(source) || !merged.has(target)) continue;
    if (!isCyclic && merged.reachableFrom(target).has(source)) isRearranged = true;
    else merged.addEdge(source, target);
  }
  return { value: { type: "links", names: merged.nodes, links: merged.edges }, isRearranged };
}

const hasCircle = (graph: Graph): boolean => graph.nodes.some((name) => graph.reachableFrom(name).has(name));

function bridge(graph: Graph, name: string): void {
  if (!graph.has(name)) return;
  for (const source of graph.predecessors(name))
    for (const target of graph.successors(name)) if (source !== target) graph.addEdge(source, target);
  graph.removeNode(name);
}

const toGraphOf = (value: TopologyValue): Graph =>
  value.type === "links"
    ? Graph.of([...value.names, ...value.links.flat()], value.links)
    : value.expression
      ? toGraph(value.expression)
      : new Graph();

/** The changes that make a value the members of a scope; null: the way the file is written cannot take them. */
export function writeTopologyValue(document: SourceDocument, scope: Scope, value: TopologyValue): TextChange[] | null {
  const transaction = new EditTransaction(document, { pins: {} });
  try {
    writeValue(transaction, scope, value);
    const changes = transaction.changes(document.text);
    return transaction.document.broken ? null : changes;
  } catch (error) {
    if (error instanceof EditRefused) return null;
    throw error;
  }
}

function writeValue(transaction: EditTransaction, scope: Scope, value: TopologyValue): void {
  const { flow } = transaction.document;
  if (isWorkflow(flow, scope)) {
    const topology = value.type === "links" ? toTopology(toGraphOf(value)).topology : null;
    if (value.type === "order") writeScope(transaction, scope, value.expression && { expression: value.expression });
    else writeScope(transaction, scope, topology);
    return;
  }
  const links = value.type === "links" ? value.links : toGraphOf(value).edges;
  setSwarmField(transaction, scope, "agents", membersOfValue(value));
  const hasLinks = containerOf(flow, scope)?.mode === "handoff" && (links.length > 0 || hasEdges(flow, scope));
  if (hasLinks)
    setSwarmField(
      transaction,
      scope,
      "edges",
      links.map(([a, b]) => [a, b]),
    );
}

const hasEdges = (flow: SourceDocument["flow"], scope: Scope): boolean => {
  const container = containerOf(flow, scope);
  return container !== null && "edges" in container && container.edges !== undefined;
};
