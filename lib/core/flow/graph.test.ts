import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareCodePoints, Graph, GraphError, type Link } from "./graph";

const name = fc.constantFrom(..."a b c d e f g é 研 😀 \uE000".split(" "));
const links: fc.Arbitrary<Link[]> = fc.array(fc.tuple(name, name), { maxLength: 14 });
/** Links from an earlier name to a later one: no cycles. */
const acyclicLinks = links.map((all) => all.filter(([source, target]) => source < target));

const cycleOf = (graph: Graph): readonly string[] | null => {
  try {
    graph.sort();
    return null;
  } catch (error) {
    if (error instanceof GraphError && error.code === "cycle") return error.nodes;
    throw error;
  }
};

describe("Graph", () => {
  it("retains nodes and links in the order in which they were added, each once", () => {
    const graph = Graph.of(
      ["z", "a", "z"],
      [
        ["b", "a"],
        ["z", "b"],
        ["b", "a"],
      ],
    );
    expect(graph.nodes).toEqual(["z", "a", "b"]);
    expect(graph.edges).toEqual([
      ["z", "b"],
      ["b", "a"],
    ]);
    expect([graph.has("a"), graph.has("c"), graph.hasEdge("b", "a"), graph.hasEdge("a", "b")]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([graph.successors("z"), graph.predecessors("a"), graph.inDegree("a")]).toEqual([["b"], ["b"], 1]);
  });

  it("removes links and nodes with their links; unknown ones are no error", () => {
    const graph = Graph.of(
      [],
      [
        ["a", "b"],
        ["b", "c"],
        ["a", "c"],
      ],
    );
    graph.removeEdge("a", "c");
    graph.removeEdge("a", "x");
    graph.removeNode("x");
    expect(graph.edges).toEqual([
      ["a", "b"],
      ["b", "c"],
    ]);
    graph.removeNode("b");
    expect([graph.nodes, graph.edges, graph.predecessors("c"), graph.successors("a")]).toEqual([
      ["a", "c"],
      [],
      [],
      [],
    ]);
  });

  it.each(["successors", "predecessors", "inDegree", "reachableFrom"] as const)(
    "%s of an unknown node throws",
    (query) => {
      expect(() => Graph.of(["a"], [])[query]("b")).toThrow(GraphError);
      expect(() => Graph.of(["a"], [])[query]("b")).toThrow('the graph has no node "b"');
    },
  );

  it("reaches nodes by at least one link: itself only in a cycle", () => {
    const graph = Graph.of(
      [],
      [
        ["a", "b"],
        ["b", "c"],
        ["c", "b"],
        ["d", "a"],
      ],
    );
    expect([...graph.reachableFrom("a")].sort()).toEqual(["b", "c"]);
    expect([...graph.reachableFrom("b")].sort()).toEqual(["b", "c"]);
    expect([...graph.reachableFrom("d")].sort()).toEqual(["a", "b", "c"]);
  });

  it.each<[title: string, edges: Link[], sorted: string[], layers: string[][]]>([
    [
      "a diamond",
      [
        ["a", "c"],
        ["a", "b"],
        ["c", "d"],
        ["b", "d"],
      ],
      ["a", "b", "c", "d"],
      [["a"], ["b", "c"], ["d"]],
    ],
    [
      "a link that skips a rank",
      [
        ["a", "b"],
        ["b", "c"],
        ["a", "c"],
      ],
      ["a", "b", "c"],
      [["a"], ["b"], ["c"]],
    ],
    // x frees d, y frees c: breadth first means d before c, although c is smaller.
    [
      "siblings of different parents",
      [
        ["x", "d"],
        ["y", "c"],
      ],
      ["x", "y", "d", "c"],
      [
        ["x", "y"],
        ["c", "d"],
      ],
    ],
    [
      "two chains",
      [
        ["b", "z"],
        ["a", "y"],
        ["y", "w"],
      ],
      ["a", "b", "y", "z", "w"],
      [["a", "b"], ["y", "z"], ["w"]],
    ],
    ["nothing", [], [], []],
  ])("sorts %s", (_, edges, sorted, layers) => {
    expect(Graph.of([], edges).sort()).toEqual(sorted);
    expect(Graph.of([], edges).layers()).toEqual(layers);
  });

  it("names a cycle from its smallest node on, in the order of its links, and no node outside of it", () => {
    const graph = Graph.of(
      [],
      [
        ["start", "c"],
        ["c", "a"],
        ["a", "b"],
        ["b", "c"],
        ["c", "end"],
      ],
    );
    expect(cycleOf(graph)).toEqual(["a", "b", "c"]);
    expect(() => graph.layers()).toThrow("the graph has a cycle: a → b → c → a");
    expect(cycleOf(Graph.of([], [["a", "a"]]))).toEqual(["a"]);
  });

  it("shortens the message of a long cycle", () => {
    const names = Array.from({ length: 20 }, (_, index) => `n${String(index).padStart(2, "0")}`);
    const graph = Graph.of(
      [],
      names.map((from, index): Link => [from, names[(index + 1) % 20] ?? ""]),
    );
    expect(() => graph.sort()).toThrow("n00 → n01 → n02 → n03 → n04 → n05 → n06 → n07 → …");
    expect(cycleOf(graph)).toEqual(names);
  });

  it("property: sorts every node after its predecessors, and ranks it by its longest path", () => {
    fc.assert(
      fc.property(acyclicLinks, fc.array(name), (edges, nodes) => {
        const graph = Graph.of(nodes, edges);
        const order = graph.sort();
        expect([...order].sort()).toEqual([...graph.nodes].sort());
        for (const [source, target] of graph.edges) expect(order.indexOf(source)).toBeLessThan(order.indexOf(target));
        const longestPath = (node: string): number => Math.max(-1, ...graph.predecessors(node).map(longestPath)) + 1;
        for (const [rank, layer] of graph.layers().entries()) {
          expect(layer).toEqual([...layer].sort(compareCodePoints));
          expect(layer.map(longestPath)).toEqual(layer.map(() => rank));
        }
      }),
    );
  });

  it("property: a graph is sorted or has a cycle whose links all exist", () => {
    fc.assert(
      fc.property(links, (edges) => {
        const graph = Graph.of([], edges);
        const cycle = cycleOf(graph);
        const hasCycle = graph.nodes.some((node) => graph.reachableFrom(node).has(node));
        expect(cycle !== null).toBe(hasCycle);
        for (const [index, node] of (cycle ?? []).entries())
          expect(graph.hasEdge(node, cycle?.[(index + 1) % cycle.length] ?? "")).toBe(true);
      }),
    );
  });

  it("sorts a chain of five thousand nodes without recursion", () => {
    const names = Array.from({ length: 5000 }, (_, index) => `n${index}`);
    const graph = Graph.of(
      names,
      names.slice(1).map((to, index): Link => [names[index] ?? "", to]),
    );
    expect(graph.sort()).toEqual(names);
    graph.addEdge("n4999", "n0");
    expect(cycleOf(graph)).toHaveLength(5000);
  });
});

describe("compareCodePoints", () => {
  it("property: orders texts by their code points", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\uE000", "\uFFFD", "😀", "𐀀"), maxLength: 6 });
    const points = (value: string): number[] => Array.from(value, (char) => char.codePointAt(0) ?? 0);
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [pointsOfA, pointsOfB] = [points(a), points(b)];
        const index = pointsOfA.findIndex((point, position) => point !== pointsOfB[position]);
        const expected =
          index < 0 || pointsOfB[index] === undefined
            ? pointsOfA.length - pointsOfB.length
            : (pointsOfA[index] ?? 0) - (pointsOfB[index] ?? 0);
        expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(expected));
        expect(Math.sign(compareCodePoints(b, a))).toBe(-Math.sign(expected) + 0);
      }),
    );
  });

  it("puts characters beyond the first plane after all others, unlike JavaScript", () => {
    expect(["\uFFFD", "😀", "a"].sort(compareCodePoints)).toEqual(["a", "\uFFFD", "😀"]);
    expect(["\uFFFD", "😀", "a"].sort()).toEqual(["a", "😀", "\uFFFD"]);
  });
});
