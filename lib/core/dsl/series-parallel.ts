import { type Expression, nameExpression, parallelExpression, serialExpression } from "../flow/expression";
import { Graph, GraphError, type Link } from "../flow/graph";

/** The graph that an expression draws: `x >> y` links every sink of x to every source of y. */
export function toGraph(expression: Expression): Graph {
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
    for (const from of members[index - 1]?.sinks ?? []) for (const to of ends.sources) graph.addEdge(from, to);
  });
  return { sources: members[0]?.sources ?? [], sinks: members.at(-1)?.sinks ?? [] };
}

export type Decomposition =
  | { ok: true; expression: Expression }
  | { ok: false; reason: "empty" }
  | { ok: false; reason: "cycle"; nodes: readonly string[] }
  /** `edge` says nothing that a longer way does not say already. */
  | { ok: false; reason: "redundant-edge"; edge: Link }
  /**
   * The four nodes of a forbidden N: ways a→c, b→c, b→d and none a→d. `addEdge` completes it; `dropEdge`, where
   * b→c is one edge, takes it apart.
   */
  | {
      ok: false;
      reason: "not-series-parallel";
      forbidden: readonly [a: string, b: string, c: string, d: string];
      addEdge: Link;
      dropEdge: Link | null;
    };

/**
 * The expression that draws exactly this graph, when there is one: decides and decomposes minimal vertex
 * series-parallel graphs in linear time (Valdes, Tarjan, Lawler, "The recognition of series parallel digraphs",
 * SIAM J. Comput. 11, 1982). Members of a parallel stand in the order their nodes were added. Nothing is dropped.
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
  const expression = lines && reduce(lines);
  return expression ? { ok: true, expression: inOrder(expression, graph.nodes) } : explain(graph);
}

/** Members of every parallel in the order in which their first nodes were added. */
function inOrder(expression: Expression, nodes: readonly string[]): Expression {
  const added = new Map(nodes.map((node, index) => [node, index]));
  const sort = (tree: Expression): { tree: Expression; first: number } => {
    if (tree.type === "name") return { tree, first: added.get(tree.name) ?? 0 };
    const members = tree.members.map(sort);
    if (tree.type === "parallel") members.sort((a, b) => a.first - b.first);
    return { tree: { ...tree, members: members.map((member) => member.tree) }, first: members[0]?.first ?? 0 };
  };
  return sort(expression).tree;
}

/** An edge between two meeting points: at first one original node, later what was joined. */
interface Line {
  from: number;
  to: number;
  expression: Expression;
}

interface LineGraph {
  lines: Line[];
  points: number;
}

const start = 0;
const finish = 1;

/**
 * The inverse line digraph: every complete bipartite block of edges (all of its tails to all of its heads) becomes a
 * point, every node an edge between points. Null when some block is not complete.
 */
function toLineGraph(graph: Graph): LineGraph | null {
  const before = new Map<string, number>();
  const after = new Map<string, number>();
  let points = 2;
  for (const node of graph.nodes) {
    if (after.has(node)) continue;
    const heads = graph.successors(node);
    const [head] = heads;
    if (head === undefined) continue;
    const tails = graph.predecessors(head);
    const point = points++;
    const block = new Set(heads);
    for (const tail of tails) {
      const own = graph.successors(tail);
      if (after.has(tail) || own.length !== heads.length || own.some((to) => !block.has(to))) return null;
      after.set(tail, point);
    }
    for (const to of heads) {
      if (before.has(to) || graph.inDegree(to) !== tails.length) return null;
      before.set(to, point);
    }
  }
  const lines = graph.nodes.map((node) => ({
    from: before.get(node) ?? start,
    to: after.get(node) ?? finish,
    expression: nameExpression(node),
  }));
  return { lines, points };
}

/** Series and parallel reductions until one edge is left; null when they get stuck. */
function reduce({ lines, points }: LineGraph): Expression | null {
  const incoming: Set<Line>[] = Array.from({ length: points }, () => new Set());
  const outgoing: Set<Line>[] = Array.from({ length: points }, () => new Set());
  const add = (line: Line): void => {
    incoming[line.to]?.add(line);
    outgoing[line.from]?.add(line);
  };
  const remove = (line: Line): void => {
    incoming[line.to]?.delete(line);
    outgoing[line.from]?.delete(line);
  };
  for (const line of lines) add(line);

  const waiting = new Set(Array.from({ length: points }, (_, point) => point));
  for (const point of waiting) {
    waiting.delete(point);
    for (const line of mergeParallel(outgoing[point] ?? new Set(), add, remove)) waiting.add(line.to);
    const [into] = incoming[point] ?? [];
    const [out] = outgoing[point] ?? [];
    if (point <= finish || !into || !out || incoming[point]?.size !== 1 || outgoing[point]?.size !== 1) continue;
    remove(into);
    remove(out);
    add({
      from: into.from,
      to: out.to,
      expression: serialExpression([into.expression, out.expression]),
    });
    waiting.add(into.from).add(out.to);
  }
  const left = outgoing.flatMap((set) => [...set]);
  const [last] = left;
  return left.length === 1 && last?.from === start && last.to === finish ? last.expression : null;
}

/** Joins lines of one point that lead to the same point; returns the joined ones. */
function mergeParallel(outgoing: Set<Line>, add: (line: Line) => void, remove: (line: Line) => void): Line[] {
  if (outgoing.size < 2) return [];
  const between = new Map<number, Line[]>();
  for (const line of outgoing) {
    const same = between.get(line.to);
    if (same) same.push(line);
    else between.set(line.to, [line]);
  }
  const joined: Line[] = [];
  for (const same of between.values()) {
    if (same.length < 2) continue;
    for (const line of same) remove(line);
    const [first] = same;
    if (!first) continue;
    const line = { ...first, expression: parallelExpression(same.map(({ expression }) => expression)) };
    add(line);
    joined.push(line);
  }
  return joined;
}

/** Why a graph without cycles is not minimal series-parallel. Quadratic: it runs on drawings that people made. */
function explain(graph: Graph): Decomposition {
  const reach = new Map(graph.nodes.map((node) => [node, graph.reachableFrom(node)]));
  const leads = (from: string, to: string): boolean => reach.get(from)?.has(to) ?? false;
  for (const [from, to] of graph.edges)
    if (graph.successors(from).some((through) => through !== to && leads(through, to)))
      return { ok: false, reason: "redundant-edge", edge: [from, to] };
  return { ok: false, reason: "not-series-parallel", ...findForbidden(graph, leads) };
}

interface Forbidden {
  forbidden: readonly [string, string, string, string];
  addEdge: Link;
  dropEdge: Link | null;
}

function findForbidden(graph: Graph, leads: (from: string, to: string) => boolean): Forbidden {
  const nodes = graph.nodes;
  const apart = (x: string, y: string): boolean => x !== y && !leads(x, y) && !leads(y, x);
  const ways = [...graph.edges, ...nodes.flatMap((b) => nodes.filter((c) => leads(b, c)).map((c): Link => [b, c]))];
  for (const [b, c] of ways) {
    const tails = nodes.filter((a) => leads(a, c) && apart(a, b));
    const heads = nodes.filter((d) => leads(b, d) && apart(c, d));
    for (const a of tails)
      for (const d of heads)
        if (apart(a, d))
          return { forbidden: [a, b, c, d], addEdge: [a, d], dropEdge: graph.hasEdge(b, c) ? [b, c] : null };
  }
  throw new Error("a graph without a forbidden N is series-parallel");
}
