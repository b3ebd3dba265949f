import type { Expression } from "../flow/expression";
import { Graph, GraphError, type Link } from "../flow/graph";
import { explainBlock, explainCore, type Forbidden } from "./forbidden";
import { reduce, toLineGraph } from "./line-graph";
import { toExpression } from "./tree";

/** Most links of one text, as many as `a >> b` of two groups of 1,000 members has. More are refused before they are drawn. */
export const mostLinks = 1_000_000;

/**
 * The graph that an expression draws: `x >> y` links every sink of x to every source of y. Linear in what it draws.
 * Throws GraphError `too-large` beyond `mostLinks` links (which `parseFlow` reports as a problem).
 */
export function toGraph(expression: Expression): Graph {
  const links = countLinks(expression);
  if (links > mostLinks)
    throw new GraphError("too-large", `the flow has ${links} links; at most ${mostLinks} can be drawn`, []);
  const graph = new Graph();
  draw(expression, graph);
  return graph;
}

interface Ends {
  sources: readonly string[];
  sinks: readonly string[];
}

function draw(expression: Expression, graph: Graph): Ends {
  if (expression.type === "name") {
    graph.addNode(expression.name);
    return { sources: [expression.name], sinks: [expression.name] };
  }
  const members = expression.members.map((member) => draw(member, graph));
  if (expression.type === "parallel")
    return { sources: members.flatMap((ends) => ends.sources), sinks: members.flatMap((ends) => ends.sinks) };
  members.forEach((ends, index) => {
    for (const source of members[index - 1]?.sinks ?? []) for (const to of ends.sources) graph.addEdge(source, to);
  });
  return { sources: members[0]?.sources ?? [], sinks: members.at(-1)?.sinks ?? [] };
}

/** How many links an expression declares, counted without drawing them. */
export function countLinks(expression: Expression): number {
  let links = 0;
  const count = (operand: Expression): { sources: number; sinks: number } => {
    if (operand.type === "name") return { sources: 1, sinks: 1 };
    const total = { sources: 0, sinks: 0 };
    for (const [index, ends] of operand.members.map(count).entries()) {
      if (operand.type === "serial") links += total.sinks * ends.sources;
      if (operand.type === "parallel" || index === 0) total.sources += ends.sources;
      total.sinks = operand.type === "parallel" ? total.sinks + ends.sinks : ends.sinks;
    }
    return total;
  };
  count(expression);
  return links;
}

export type Decomposition =
  | { ok: true; expression: Expression }
  | { ok: false; reason: "empty" }
  /** A cycle, in the order of its links. */
  | { ok: false; reason: "cycle"; nodes: readonly string[] }
  /** `edge` is implied by a longer path. */
  | { ok: false; reason: "redundant-edge"; edge: Link }
  | ({ ok: false; reason: "not-series-parallel" } & Forbidden);

/**
 * The expression that draws exactly this graph, when there is one; else why not. Decides and decomposes minimal vertex
 * series-parallel graphs, disconnected ones too, in linear time (Valdes, Tarjan, Lawler, "The recognition of series
 * parallel digraphs", SIAM J. Comput. 11, 1982); sorting the members costs n log n. Members of a parallel are in the
 * order in which their first nodes were added. Nothing is dropped: a redundant link is refused, not left out.
 * The expression may nest deeper than `limits.depth`: `parseFlow` then refuses its text with a problem.
 */
export function fromGraph(graph: Graph): Decomposition {
  if (graph.nodes.length === 0) return { ok: false, reason: "empty" };
  try {
    graph.sort();
  } catch (error) {
    if (error instanceof GraphError) return { ok: false, reason: "cycle", nodes: error.nodes };
    throw error;
  }
  const lines = toLineGraph(graph);
  if (!lines.ok) return explainBlock(graph, lines.block);
  const core = reduce(lines);
  if (!core.ok) return { ok: false, reason: "not-series-parallel", ...explainCore(core) };
  return { ok: true, expression: toExpression(core.tree) };
}
