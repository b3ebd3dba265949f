import { describe, expect, it } from "vitest";
import { namesOf } from "../flow/expression";
import { Graph, GraphError } from "../flow/graph";
import { parseFlow } from "./parse";
import { toGraph } from "./series-parallel";

/** Rows of sections 1 and 2 of the conformance table, by their numbers. */
const graphOf = (dsl: string): Graph => {
  const { expression, problems } = parseFlow(dsl);
  expect(problems).toEqual([]);
  if (!expression) throw new Error(`nothing was read from ${dsl}`);
  return toGraph(expression);
};
const codes = (dsl: string): string[] => parseFlow(dsl).problems.map((problem) => problem.code);
const order = (dsl: string): string => graphOf(dsl).sort().join(" ");

describe("graph", () => {
  it("1: the same node twice is one node", () => {
    expect(Graph.of(["a", "a"], []).nodes).toEqual(["a"]);
  });
  it("2: an edge brings its nodes", () => {
    const graph = Graph.of([], [["a", "b"]]);
    expect([graph.nodes, graph.edges]).toEqual([["a", "b"], [["a", "b"]]]);
  });
  it("3: the same edge twice is one edge", () => {
    expect(
      Graph.of(
        [],
        [
          ["a", "b"],
          ["a", "b"],
        ],
      ).edges,
    ).toHaveLength(1);
  });
  it("4: successors in the order the edges were added", () => {
    expect(
      Graph.of(
        [],
        [
          ["a", "z"],
          ["a", "b"],
        ],
      ).successors("a"),
    ).toEqual(["z", "b"]);
  });
  it("5: an unknown node is an error that names it", () => {
    const graph = new Graph();
    expect(() => graph.successors("nobody")).toThrow(/nobody/);
    expect(() => graph.inDegree("nobody")).toThrow(GraphError);
  });
  it("6: in-degree", () => {
    expect(
      Graph.of(
        [],
        [
          ["a", "b"],
          ["c", "b"],
        ],
      ).inDegree("b"),
    ).toBe(2);
  });
  it("7, 8: sorting nothing and one node", () => {
    expect(new Graph().sort()).toEqual([]);
    expect(Graph.of(["a"], []).sort()).toEqual(["a"]);
  });
  it("9: a diamond, ties by name", () => {
    expect(
      Graph.of(
        [],
        [
          ["a", "c"],
          ["a", "b"],
          ["c", "d"],
          ["b", "d"],
        ],
      ).sort(),
    ).toEqual(["a", "b", "c", "d"]);
  });
  it("10: two chains, breadth first", () => {
    expect(
      Graph.of(
        [],
        [
          ["a", "b"],
          ["c", "d"],
        ],
      ).sort(),
    ).toEqual(["a", "c", "b", "d"]);
  });
  it("11: the same order on every call", () => {
    const graph = Graph.of(
      [],
      [
        ["b", "d"],
        ["a", "c"],
      ],
    );
    expect(graph.sort()).toEqual(graph.sort());
  });
  it.each([
    [
      [
        ["a", "b"],
        ["b", "a"],
      ],
    ],
    [
      [
        ["a", "b"],
        ["b", "c"],
        ["c", "a"],
      ],
    ],
    [[["a", "a"]]],
  ] satisfies [[string, string][]][])("12: a cycle is an error: %j", (edges) => {
    expect(() => Graph.of([], edges).sort()).toThrow(/cycle/);
  });
});

describe("DSL to order", () => {
  it("13-18: chains, fans and joins", () => {
    expect(graphOf("a >> b >> c").edges).toEqual([
      ["a", "b"],
      ["b", "c"],
    ]);
    expect([graphOf("a").nodes, graphOf("a").edges]).toEqual([["a"], []]);
    expect(graphOf("(a | b) >> c").edges).toEqual([
      ["a", "c"],
      ["b", "c"],
    ]);
    expect(graphOf("a >> (b | c)").edges).toEqual([
      ["a", "b"],
      ["a", "c"],
    ]);
    expect(graphOf("(a | b) >> (c | d)").edges).toHaveLength(4);
    expect(order("a >> (b | c) >> d")).toBe("a b c d");
  });
  it("19: written order for nodes, ties by name in the order", () => {
    expect(graphOf("(b | a) >> c").nodes).toEqual(["b", "a", "c"]);
    expect(order("(b | a) >> c")).toBe("a b c");
  });
  it("20: ties in every rank", () => {
    expect(order("(z | m | a) >> (y | b) >> (x | c)")).toBe("a m z b y c x");
  });
  it("21: code point order", () => {
    expect(order("(b | B | a | A | _ | 1 | é)")).toBe("1 A B _ a b é");
  });
  it("22: plain text order, not numeric", () => {
    expect(order("(n10 | n9 | n2)")).toBe("n10 n2 n9");
  });
  it("23: code points, not UTF-16 units", () => {
    expect(order("(😀 | \uFFEEx)")).toBe("\uFFEEx 😀");
  });
  it("24-26: spaces, lines and odd white space", () => {
    expect(order("a>>(b|c)>>d")).toBe("a b c d");
    expect(order("a\n>> (\nb\n| c\n)\n>> d")).toBe("a b c d");
    expect(graphOf("\ta\u00A0 >>\u3000b\u3000").nodes).toEqual(["a", "b"]);
  });
  it("27 Q: a byte order mark is trimmed", () => expect(graphOf("\uFEFFa").nodes).toEqual(["a"]));
  it("28 Q: U+001C and U+0085 are trimmed", () => expect(graphOf("\u001Ca >> \u0085b").nodes).toEqual(["a", "b"]));
  it("29: a zero-width space is part of the name", () => expect(graphOf("\u200Ba").nodes).toEqual(["\u200Ba"]));
  it("30: names hold spaces", () => expect(graphOf("my agent >> other one").nodes).toEqual(["my agent", "other one"]));
  it("31: names hold . - / : # _, accents, CJK", () => {
    const all = ["a.b", "a-b", "a/b", "a:b", "a#b", "a_b", "é", "研究"];
    expect(graphOf(all.join(" >> ")).nodes).toEqual(all);
  });
  it("32, 33: parentheses round one name mean nothing", () => {
    expect(graphOf("(a)").nodes).toEqual(["a"]);
    expect(order("(a) >> (b) >> c")).toBe("a b c");
  });
  it("34-37: a name used twice is refused, which covers every cycle", () => {
    for (const dsl of ["(a | a) >> b", "a >> a", "a >> b >> a", "(a | b) >> (b | c)"])
      expect(codes(dsl)).toEqual(["duplicate-name"]);
  });
  it("38: nothing is an error", () => {
    expect(codes("")).toEqual(["empty-flow"]);
    expect(codes(" \n\t")).toEqual(["empty-flow"]);
  });
  it("39: a missing operand", () => {
    for (const dsl of [">>", "a >>", ">> a", "a >> >> b", "a >>>> b"]) expect(codes(dsl)).toContain("missing-operand");
  });
  it("40: a missing member", () => {
    expect(codes("( )")).toEqual(["empty-group"]);
    for (const dsl of ["(a | )", "(| a)", "(a || b)"]) expect(codes(dsl)).toEqual(["missing-member"]);
  });
  it("41 Q: an empty group is an error", () => expect(codes("()")).toEqual(["empty-group"]));
  it("42 Q: a bare parallel needs parentheses", () => expect(codes("a | b")).toEqual(["bare-parallel"]));
  it("43, 44 Q: real nesting", () => {
    expect(graphOf("((a | b) | c) >> d").edges).toEqual([
      ["a", "d"],
      ["b", "d"],
      ["c", "d"],
    ]);
    expect(graphOf("(a >> b | c) >> d").edges).toEqual([
      ["a", "b"],
      ["b", "d"],
      ["c", "d"],
    ]);
  });
  it("45 Q: unbalanced parentheses are errors with a place", () => {
    for (const dsl of ["(a | b >> c", "a | b) >> c", "((a) >> b"])
      expect(codes(dsl)).toContain("unbalanced-parenthesis");
    expect(parseFlow("a) >> c").problems[0]?.range).toEqual({ from: 1, to: 2 });
  });
  it("46, 47 Q: wrong arrows are errors with a hint", () => {
    for (const dsl of ["a >>> b", "a -> b", "a > b", "a, b >> c"]) {
      expect(codes(dsl)).toEqual(["not-an-arrow"]);
      expect(parseFlow(dsl).problems[0]?.fix?.changes[0]?.insert.trim()).toBe(">>");
    }
  });
  it("48, 49 Q: text beside a parenthesis", () => {
    for (const dsl of ["(a | b) c >> d", "x (a | b) >> d", "(a | b)(c | d)", "(f(x) | b)"])
      expect(codes(dsl)).toContain("text-beside-parenthesis");
  });
  it("50 Q: comments", () => expect(graphOf("a >> b # note").nodes).toEqual(["a", "b"]));
  it("51 Q: quoting", () => {
    const { expression } = parseFlow('"a >> b" >> c');
    expect(expression && namesOf(expression).map(({ name }) => name)).toEqual(["a >> b", "c"]);
  });
});
