/** A wrong question to a graph: an unknown node, an order where there is a cycle, or more links than can be drawn. */
export class GraphError extends Error {
  override name = "GraphError";
  constructor(
    readonly code: "unknown-node" | "cycle" | "too-large",
    message: string,
    /** The nodes concerned; for a cycle its nodes in the order of its links, the first by code point in front. */
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
    for (const [from, to] of edges) graph.addEdge(from, to);
    return graph;
  }

  get nodes(): string[] {
    return [...this.#successors.keys()];
  }

  get edges(): [from: string, to: string][] {
    return [...this.#successors].flatMap(([from, targets]) => [...targets].map((to): [string, string] => [from, to]));
  }

  has(node: string): boolean {
    return this.#successors.has(node);
  }

  hasEdge(from: string, to: string): boolean {
    return this.#successors.get(from)?.has(to) ?? false;
  }

  addNode(node: string): void {
    if (this.#successors.has(node)) return;
    this.#successors.set(node, new Set());
    this.#predecessors.set(node, new Set());
  }

  addEdge(from: string, to: string): void {
    this.addNode(from);
    this.addNode(to);
    this.#successors.get(from)?.add(to);
    this.#predecessors.get(to)?.add(from);
  }

  removeEdge(from: string, to: string): void {
    this.#successors.get(from)?.delete(to);
    this.#predecessors.get(to)?.delete(from);
  }

  removeNode(node: string): void {
    for (const to of this.#successors.get(node) ?? []) this.#predecessors.get(to)?.delete(node);
    for (const from of this.#predecessors.get(node) ?? []) this.#successors.get(from)?.delete(node);
    this.#successors.delete(node);
    this.#predecessors.delete(node);
  }

  /** In the order the edges were added. Throws GraphError for an unknown node. */
  successors(node: string): string[] {
    return [...this.#known(this.#successors, node)];
  }

  /** In the order the edges were added. Throws GraphError for an unknown node. */
  predecessors(node: string): string[] {
    return [...this.#known(this.#predecessors, node)];
  }

  /** Throws GraphError for an unknown node. */
  inDegree(node: string): number {
    return this.#known(this.#predecessors, node).size;
  }

  /** Everything that can be reached from `node` by at least one edge. */
  reachableFrom(node: string): Set<string> {
    const reached = new Set<string>();
    const waiting = this.successors(node);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      for (const after of this.#known(this.#successors, next)) waiting.push(after);
    }
    return reached;
  }

  /** Every node after all its predecessors: breadth first, ties by code point (Kahn 1962). Throws GraphError on a cycle. */
  sort(): string[] {
    return this.#rankByKahn().order;
  }

  /** Longest-path ranks, each sorted by code point. Throws GraphError on a cycle. */
  layers(): string[][] {
    const { order, ranks } = this.#rankByKahn();
    const layers: string[][] = [];
    for (const node of order) {
      const rank = ranks.get(node) ?? 0;
      const layer = layers[rank];
      if (layer) layer.push(node);
      else layers[rank] = [node];
    }
    return layers.map((layer) => layer.sort(compareCodePoints));
  }

  #rankByKahn(): { order: string[]; ranks: Map<string, number> } {
    const open = new Map([...this.#predecessors].map(([node, before]) => [node, before.size]));
    const order = this.nodes.filter((node) => open.get(node) === 0).sort(compareCodePoints);
    const ranks = new Map(order.map((node) => [node, 0]));
    for (let i = 0; i < order.length; i++) {
      const node = order[i] ?? "";
      const ready: string[] = [];
      for (const to of this.#successors.get(node) ?? []) {
        ranks.set(to, Math.max(ranks.get(to) ?? 0, (ranks.get(node) ?? 0) + 1));
        const left = (open.get(to) ?? 0) - 1;
        open.set(to, left);
        if (left === 0) ready.push(to);
      }
      for (const next of ready.sort(compareCodePoints)) order.push(next);
    }
    if (order.length < this.#successors.size) {
      const cycle = this.#findCycle(new Set(this.nodes.filter((node) => (open.get(node) ?? 0) > 0)));
      const shown = [...cycle.slice(0, 8), cycle.length > 8 ? "…" : cycle[0]].join(" → ");
      throw new GraphError("cycle", `the graph has a cycle: ${shown}`, cycle);
    }
    return { order, ranks };
  }

  /** A cycle among nodes that each have a predecessor among them. */
  #findCycle(stuck: ReadonlySet<string>): string[] {
    const seen = new Map<string, number>();
    const trail: string[] = [];
    let [node] = stuck;
    while (node !== undefined && !seen.has(node)) {
      seen.set(node, trail.length);
      trail.push(node);
      node = [...(this.#predecessors.get(node) ?? [])].find((before) => stuck.has(before));
    }
    const cycle = trail.slice(seen.get(node ?? "") ?? 0).reverse();
    const first = cycle.indexOf(cycle.toSorted(compareCodePoints)[0] ?? "");
    return [...cycle.slice(first), ...cycle.slice(0, first)];
  }

  #known(map: Map<string, Set<string>>, node: string): Set<string> {
    const found = map.get(node);
    if (!found) throw new GraphError("unknown-node", `the graph has no node "${node}"`, [node]);
    return found;
  }
}
