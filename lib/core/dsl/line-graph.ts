import type { Graph } from "../flow/graph";
import { joinTrees, leaf, type SeriesParallelTree } from "./tree";

/** A line between two meeting points: at first one node of the graph, later what was joined. */
export interface GraphLine {
  from: number;
  to: number;
  tree: SeriesParallelTree;
}

/** Where every source begins and where every sink ends. */
const start = 0;
const finish = 1;
export const isInner = (point: number): boolean => point > finish;

/** Links a→c, b→c, b→d without a link a→d. */
export type IncompleteBlock = readonly [a: string, b: string, c: string, d: string];

export type LineGraph = { ok: true; lines: GraphLine[]; points: number } | { ok: false; block: IncompleteBlock };

/**
 * The inverse line digraph: every complete bipartite block of links (all of its tails to all of its heads) becomes a
 * point, every node a line between two points. Not ok when a block is not complete.
 */
export function toLineGraph(graph: Graph): LineGraph {
  const before = new Map<string, number>();
  const after = new Map<string, number>();
  let points = finish + 1;
  for (const node of graph.nodes) {
    const heads = after.has(node) ? [] : graph.successors(node);
    const [head] = heads;
    if (head === undefined) continue;
    const tails = graph.predecessors(head);
    const block = findGap(graph, node, tails, heads);
    if (block) return { ok: false, block };
    for (const tail of tails) after.set(tail, points);
    for (const to of heads) before.set(to, points);
    points++;
  }
  const lines = graph.nodes.map((node, added) => ({
    from: before.get(node) ?? start,
    to: after.get(node) ?? finish,
    tree: leaf(node, added),
  }));
  return { ok: true, lines, points };
}

/** A missing link of the block round `node`; `tails` are all that lead to its first head. */
function findGap(
  graph: Graph,
  node: string,
  tails: readonly string[],
  heads: readonly string[],
): IncompleteBlock | null {
  const [firstHead = node] = heads;
  const inBlock = new Set(heads);
  for (const tail of tails) {
    const successors = graph.successors(tail);
    const spare = successors.find((to) => !inBlock.has(to));
    if (spare !== undefined) return [node, tail, firstHead, spare];
    const lacking = successors.length < heads.length && heads.find((to) => !graph.hasEdge(tail, to));
    if (lacking) return [tail, node, firstHead, lacking];
  }
  const knownTails = new Set(tails);
  for (const to of heads) {
    const stranger =
      graph.inDegree(to) > tails.length && graph.predecessors(to).find((predecessor) => !knownTails.has(predecessor));
    if (stranger) return [stranger, node, to, firstHead];
  }
  return null;
}

/** The lines that lead to each point and from it, of which none can be joined. */
export interface Core {
  incoming: Set<GraphLine>[];
  outgoing: Set<GraphLine>[];
}

/** Joins lines until nothing more can be joined. Every join takes constant time, whatever the lines hold. */
export function reduce({
  lines,
  points,
}: Extract<LineGraph, { ok: true }>): { ok: true; tree: SeriesParallelTree } | ({ ok: false } & Core) {
  const incoming: Set<GraphLine>[] = Array.from({ length: points }, () => new Set());
  const outgoing: Set<GraphLine>[] = Array.from({ length: points }, () => new Set());
  const between = new Map<number, GraphLine>();
  /** Answers whether a line of the same ends took it in. */
  const add = (line: GraphLine): boolean => {
    const pair = line.from * points + line.to;
    const same = between.get(pair);
    if (same) {
      same.tree = joinTrees("parallel", same.tree, line.tree);
      return true;
    }
    between.set(pair, line);
    incoming[line.to]?.add(line);
    outgoing[line.from]?.add(line);
    return false;
  };
  const remove = (line: GraphLine): void => {
    between.delete(line.from * points + line.to);
    incoming[line.to]?.delete(line);
    outgoing[line.from]?.delete(line);
  };
  for (const line of lines) add(line);

  const waiting = Array.from({ length: points }, (_, point) => point);
  for (let point = waiting.pop(); point !== undefined; point = waiting.pop()) {
    const [into] = incoming[point] ?? [];
    const [out] = outgoing[point] ?? [];
    const passed = isInner(point) && incoming[point]?.size === 1 && outgoing[point]?.size === 1;
    if (!passed || !into || !out) continue;
    remove(into);
    remove(out);
    const isMerged = add({ from: into.from, to: out.to, tree: joinTrees("serial", into.tree, out.tree) });
    if (isMerged) waiting.push(into.from, out.to);
  }
  const [last] = between.values();
  return between.size === 1 && last ? { ok: true, tree: last.tree } : { ok: false, incoming, outgoing };
}
