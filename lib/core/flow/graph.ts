/** An invalid query: an unknown node, an order of a graph with a cycle, or a graph with too many links to draw. */
export class GraphError extends Error {
  override name = "GraphError";
  constructor(
    readonly code: "unknown-node" | "cycle" | "too-large",
    message: string,
    /** The nodes concerned; for a cycle its nodes in the order of its links, starting with the first by code point. */
    readonly nodes: readonly string[],
  ) {
    super(message);
  }
}

export type Link = readonly [from: string, to: string];

/** Order by Unicode code points (JavaScript's own order is by UTF-16 units, which puts U+10000 and above before U+E000). */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** A directed graph of names. Nodes and edges keep the order in which they were added; each exists once. */
export class Graph {
  readonly #successors = new Map<string, Set<string>>();
  readonly #predecessors = new Map<string, Set<string>>();

  static of(nodes: Iterable<string>, edges: Iterable<Link>): Graph {
    const graph = new Graph();
    for (const node of nodes) graph.addNode(node);
    for (const [source, target] of edges) graph.addEdge(source, target);
    return graph;
  }

  get nodes(): string[] {
    return [...this.#successors.keys()];
  }

  get edges(): [from: string, to: string][] {
    return [...this.#successors].flatMap(([source, targets]) =>
      [...targets].map((target): [string, string] => [source, target]),
    );
  }

  has(node: string): boolean {
    return this.#successors.has(node);
  }

  hasEdge(source: string, target: string): boolean {
    return this.#successors.get(source)?.has(target) ?? false;
  }

  addNode(node: string): void {
    if (this.#successors.has(node)) return;
    this.#successors.set(node, new Set());
    this.#predecessors.set(node, new Set());
  }

  addEdge(source: string, target: string): void {
    this.addNode(source);
    this.addNode(target);
    this.#successors.get(source)?.add(target);
    this.#predecessors.get(target)?.add(source);
  }

  removeEdge(source: string, target: string): void {
    this.#successors.get(source)?.delete(target);
    this.#predecessors.get(target)?.delete(source);
  }

  removeNode(node: string): void {
    for (const target of this.#successors.get(node) ?? []) this.#predecessors.get(target)?.delete(node);
    for (const source of this.#predecessors.get(node) ?? []) this.#successors.get(source)?.delete(node);
    this.#successors.delete(node);
    this.#predecessors.delete(node);
  }

  /** In the order the edges were added. Throws GraphError for an unknown node. */
  successors(node: string): string[] {
    return [...this.#neighborsOf(this.#successors, node)];
  }

  /** In the order the edges were added. Throws GraphError for an unknown node. */
  predecessors(node: string): string[] {
    return [...this.#neighborsOf(this.#predecessors, node)];
  }

  /** Throws GraphError for an unknown node. */
  inDegree(node: string): number {
    return this.#neighborsOf(this.#predecessors, node).size;
  }

  /** Everything that can be reached from `node` by at least one edge. */
  reachableFrom(node: string): Set<string> {
    const reached = new Set<string>();
    const pending = this.successors(node);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      for (const successor of this.#neighborsOf(this.#successors, next)) pending.push(successor);
    }
    return reached;
  }

  /** Every node after all its predecessors: breadth first, ties by code point (Kahn 1962). Throws GraphError on a cycle. */
  sort(): string[] {
    return this.#rankByKahn().flat();
  }

  /** Longest-path ranks, each sorted by code point. Throws GraphError on a cycle. */
  layers(): string[][] {
    return this.#rankByKahn().map((layer) => layer.sort(compareCodePoints));
  }

  /** Longest-path ranks, each in the order in which its nodes lose their last open predecessor. */
  #rankByKahn(): string[][] {
    const openCounts = new Map([...this.#predecessors].map(([node, predecessors]) => [node, predecessors.size]));
    const ranks: string[][] = [];
    let rank = this.nodes.filter((node) => openCounts.get(node) === 0).sort(compareCodePoints);
    for (; rank.length > 0; rank = rank.flatMap((node) => this.#closeNode(node, openCounts))) ranks.push(rank);
    const candidates = new Set(this.nodes.filter((node) => (openCounts.get(node) ?? 0) > 0));
    if (candidates.size === 0) return ranks;
    const cycle = this.#findCycle(candidates);
    const cycleText = [...cycle.slice(0, 8), cycle.length > 8 ? "…" : cycle[0]].join(" → ");
    throw new GraphError("cycle", `the graph has a cycle: ${cycleText}`, cycle);
  }

  /** Lowers the count of open predecessors of each successor; returns those that have none left, by code point. */
  #closeNode(node: string, openCounts: Map<string, number>): string[] {
    const ready: string[] = [];
    for (const target of this.#successors.get(node) ?? []) {
      const openCount = (openCounts.get(target) ?? 0) - 1;
      openCounts.set(target, openCount);
      if (openCount === 0) ready.push(target);
    }
    return ready.sort(compareCodePoints);
  }

  /** A cycle among nodes that each have a predecessor among them. */
  #findCycle(candidates: ReadonlySet<string>): string[] {
    const trailIndexes = new Map<string, number>();
    const trail: string[] = [];
    let [node] = candidates;
    while (node !== undefined && !trailIndexes.has(node)) {
      trailIndexes.set(node, trail.length);
      trail.push(node);
      node = [...(this.#predecessors.get(node) ?? [])].find((predecessor) => candidates.has(predecessor));
    }
    const cycle = trail.slice(trailIndexes.get(node ?? "") ?? 0).reverse();
    const smallestIndex = cycle.indexOf(cycle.toSorted(compareCodePoints)[0] ?? "");
    return [...cycle.slice(smallestIndex), ...cycle.slice(0, smallestIndex)];
  }

  #neighborsOf(map: Map<string, Set<string>>, node: string): Set<string> {
    const neighbors = map.get(node);
    if (!neighbors) throw new GraphError("unknown-node", `the graph has no node "${node}"`, [node]);
    return neighbors;
  }
}
