import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Expression, nameExpression, parallelExpression, serialExpression } from "../flow/expression";
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

  it.each([1, 2, 3, 4, 5])("agrees with the definition on every graph of %s nodes", (size) => {
    const nodes = Array.from({ length: size }, (_, index) => `n${index}`);
    const pairs = nodes.flatMap((from, i) => nodes.slice(i + 1).map((to): [string, string] => [from, to]));
    for (let chosen = 0; chosen < 2 ** pairs.length; chosen++) {
      const graph = Graph.of(
        nodes,
        pairs.filter((_, bit) => (chosen >> bit) & 1),
      );
      const found = fromGraph(graph);
      if (found.ok !== isMinimalSeriesParallel(graph)) throw new Error(`wrong about ${graph.edges.join(" ")}`);
      if (found.ok && toGraph(found.expression).edges.length !== graph.edges.length)
        throw new Error(`another graph than ${graph.edges.join(" ")}`);
    }
  });

  it("comes from a large random text to its graph and back to the same text", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2000, max: 5000 }), fc.integer(), (size, seed) => {
        const text = printFlow(largeExpression(size, seed));
        const { expression } = parseFlow(text);
        const found = expression && fromGraph(toGraph(expression));
        if (!found?.ok || printFlow(found.expression) !== text) throw new Error(`${size} names of seed ${seed} differ`);
      }),
      { numRuns: 15 },
    );
  });

  it("inverts toGraph for large random trees, whatever the order of their links", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2000 }), fc.integer(), fc.boolean(), (size, seed, shuffled) => {
        const expression = largeExpression(size, seed);
        const drawn = toGraph(expression);
        const edges = shuffled ? drawn.edges.reverse() : drawn.edges;
        const found = fromGraph(Graph.of(drawn.nodes, edges));
        expect(found.ok && shape(found.expression)).toEqual(shape(expression));
      }),
      { numRuns: 40 },
    );
  });

  it("names links that are really there, and a redundant link that really is", () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const found = fromGraph(graph);
        if (found.ok) return;
        if (found.reason === "redundant-edge") {
          const [from, to] = found.edge;
          const rest = Graph.of(graph.nodes, graph.edges);
          rest.removeEdge(from, to);
          expect([graph.hasEdge(from, to), rest.reachableFrom(from).has(to)]).toEqual([true, true]);
        }
        if (found.reason !== "not-series-parallel") return;
        const { forbidden, addEdge, dropEdge } = found;
        const reach = closure(graph);
        const apart = (x: string, y: string): boolean => !reach.get(x)?.has(y) && !reach.get(y)?.has(x);
        const [a, b, c, d] = forbidden;
        expect([apart(a, b), apart(c, d), apart(a, d)]).toEqual([true, true, true]);
        expect(addEdge).toEqual([a, d]);
        expect(graph.hasEdge(...dropEdge)).toBe(true);
        expect(dropEdge[0]).toBe(b);
        expect(dropEdge[1] === c || reach.get(dropEdge[1])?.has(c)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it("comes to a text when one kind of the offered fixes is taken, whichever", () => {
    fc.assert(
      fc.property(anyGraph, fc.boolean(), (start, adds) => {
        const graph = Graph.of(start.nodes, start.edges);
        for (let step = 0; step < 200; step++) {
          const found = fromGraph(graph);
          if (found.ok) return;
          if (found.reason === "redundant-edge") graph.removeEdge(...found.edge);
          else if (found.reason !== "not-series-parallel") throw new Error(found.reason);
          else if (adds) graph.addEdge(...found.addEdge);
          else graph.removeEdge(...found.dropEdge);
        }
        throw new Error("the fixes never end");
      }),
      { numRuns: 1000 },
    );
  });

  const count = 20_000;
  const chain = Array.from({ length: count }, (_, i): [string, string] => [`n${i}`, `n${i + 1}`]);
  it.each<[string, [string, string][], string]>([
    ["a chain", chain, "ok"],
    ["a chain with a link that jumps it", [...chain, ["n0", `n${count}`]], "redundant-edge"],
    ["a chain with a bridge", [...chain, ["n5", "x"], ["y", "n9000"]], "not-series-parallel"],
    [
      "a ladder",
      chain.flatMap(([a, b]) => [
        [a, b],
        [`${a}x`, `${b}x`],
        [a, `${b}x`],
      ]),
      "not-series-parallel",
    ],
    [
      "a star",
      chain.flatMap(([, b]) => [
        ["s", b],
        [b, "t"],
      ]),
      "ok",
    ],
    ["a circle", [...chain, [`n${count}`, "n0"]], "cycle"],
    [
      "brackets in brackets",
      chain.flatMap(([a, b]) => [
        [a, b],
        [a, `${b}x`],
      ]),
      "ok",
    ],
  ])(
    "answers for a large graph at once: %s",
    (_, edges, expected) => {
      const found = fromGraph(Graph.of([], edges));
      expect(found.ok ? "ok" : found.reason).toBe(expected);
      if (found.ok) expect(printFlow(found.expression).length).toBeGreaterThan(count);
    },
    5000,
  );

  it("reads 2,000 chains side by side", () => {
    const text = `s >> (${Array.from({ length: 2000 }, (_, i) => `a${i} >> b${i} >> c${i}`).join(" | ")}) >> t`;
    const { expression } = parseFlow(text);
    const found = expression && fromGraph(toGraph(expression));
    expect(found?.ok && printFlow(found.expression)).toBe(text);
  });

  it("refuses to draw more links than can be drawn, before drawing any", () => {
    const wide = (name: string): Expression =>
      parallelExpression(Array.from({ length: 20_000 }, (_, i) => nameExpression(`${name}${i}`)));
    expect(() => toGraph(serialExpression([wide("a"), wide("b")]))).toThrow(
      expect.objectContaining({ code: "too-large" }),
    );
  });
});

/** A random tree of `size` names; parallels have at most four members, so that its links stay few. */
function largeExpression(size: number, seed: number): Expression {
  let state = seed >>> 0;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  let names = 0;
  const grow = (budget: number, type: "serial" | "parallel"): Expression => {
    if (budget <= 1) return nameExpression(`n${names++}`);
    const parts = Math.min(budget, 2 + random(type === "parallel" ? 3 : 6));
    const inner = type === "serial" ? "parallel" : "serial";
    const members = Array.from({ length: parts }, () => grow(random(2) === 0 ? 1 : Math.floor(budget / parts), inner));
    return type === "serial" ? serialExpression(members) : parallelExpression(members);
  };
  return grow(size, "serial");
}
