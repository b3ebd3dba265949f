import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Graph } from "../flow/graph";
import { parseFlow } from "./parse";
import { anyExpression, shape } from "./parse.arbitrary";
import { printFlow } from "./print";
import { fromGraph, toGraph } from "./series-parallel";

const print = (nodes: string, edges: string): string => {
  const graph = Graph.of(
    nodes.split(" "),
    edges
      .split(" ")
      .filter(Boolean)
      .map((edge): [string, string] => [edge[0] ?? "", edge[1] ?? ""]),
  );
  const found = fromGraph(graph);
  return found.ok ? printFlow(found.expression) : found.reason;
};

/** Transitive reachability by brute force. */
function closure(graph: Graph): Map<string, Set<string>> {
  return new Map(graph.nodes.map((node) => [node, graph.reachableFrom(node)]));
}

/** By definition: a minimal graph whose order holds no N. */
function isMinimalSeriesParallel(graph: Graph): boolean {
  const reach = closure(graph);
  const less = (a: string, b: string): boolean => reach.get(a)?.has(b) ?? false;
  const apart = (a: string, b: string): boolean => a !== b && !less(a, b) && !less(b, a);
  const minimal = graph.edges.every(([from, to]) => !graph.nodes.some((via) => less(from, via) && less(via, to)));
  const all = graph.nodes;
  const hasN = all.some((a) =>
    all.some(
      (b) =>
        apart(a, b) &&
        all.some((c) => less(a, c) && less(b, c) && all.some((d) => less(b, d) && apart(c, d) && apart(a, d))),
    ),
  );
  return minimal && !hasN;
}

const anyGraph = fc
  .tuple(fc.integer({ min: 1, max: 7 }), fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { maxLength: 14 }))
  .map(([size, pairs]) => {
    const nodes = Array.from({ length: size }, (_, index) => `n${index}`);
    const edges = pairs.filter(([a, b]) => a < b && b < size).map(([a, b]): [string, string] => [`n${a}`, `n${b}`]);
    return Graph.of(nodes, edges);
  });

describe("fromGraph", () => {
  it.each([
    ["a", "", "a"],
    ["a b", "", "(a | b)"],
    ["a b c", "ab", "(a >> b | c)"],
    ["p x y z c w", "px py pz xc yc zc cw", "p >> (x | y | z) >> c >> w"],
    ["a b c d", "ac ad bc bd", "(a | b) >> (c | d)"],
    ["a b c d", "ac bc bd", "not-series-parallel"],
    ["a b c", "ab bc ac", "redundant-edge"],
    ["a b", "ab ba", "cycle"],
  ])("decomposes %s with %s", (nodes, edges, expected) => {
    expect(print(nodes, edges)).toBe(expected);
  });

  it("inverts toGraph for every expression", () => {
    fc.assert(
      fc.property(anyExpression, (expression) => {
        const found = fromGraph(toGraph(expression));
        expect(found.ok && shape(found.expression)).toEqual(shape(expression));
      }),
      { numRuns: 500 },
    );
  });

  it("agrees with the definition on small graphs, and names a real N", () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const found = fromGraph(graph);
        expect(found.ok).toBe(isMinimalSeriesParallel(graph));
        if (found.ok)
          expect(new Set(toGraph(found.expression).edges.map(String))).toEqual(new Set(graph.edges.map(String)));
        if (found.ok || found.reason !== "not-series-parallel") return;
        const [a, b, c, d] = found.forbidden;
        const reach = closure(graph);
        expect([reach.get(a)?.has(c), reach.get(b)?.has(c), reach.get(b)?.has(d), reach.get(a)?.has(d)]).toEqual([
          true,
          true,
          true,
          false,
        ]);
      }),
      { numRuns: 3000 },
    );
  });

  it("reads 2,000 chains side by side", () => {
    const text = `s >> (${Array.from({ length: 2000 }, (_, i) => `a${i} >> b${i} >> c${i}`).join(" | ")}) >> t`;
    const { expression } = parseFlow(text);
    const found = expression && fromGraph(toGraph(expression));
    expect(found?.ok && printFlow(found.expression)).toBe(text);
  });
});
