import { describe, expect, it } from "vitest";
import { namesOf } from "../flow/expression";
import { Graph, GraphError, type Link } from "../flow/graph";
import { parseFlow } from "./parse";
import { toGraph } from "./series-parallel";

/*
 * What the Python package Orbiter does, row by row, by the numbers of our conformance table. `C` rows are kept as they
 * are; `Q` rows are its quirks, where we do the better thing that is named.
 */

/** `ab cb` are the links a→b and c→b. */
const graph = (edges: string, nodes = ""): Graph =>
  Graph.of(nodes.split(" ").filter(Boolean), edges.split(" ").filter(Boolean).map(toLink));
const toLink = (edge: string): Link => [edge[0] ?? "", edge[1] ?? ""];

describe("1. graph", () => {
  it("row 1: the same node twice is one node", () => expect(graph("", "a a").nodes).toEqual(["a"]));

  it("row 2: an edge brings its nodes", () => {
    const { nodes, edges } = graph("ab");
    expect({ nodes, edges }).toEqual({ nodes: ["a", "b"], edges: [["a", "b"]] });
  });

  it("row 3: the same edge twice is one edge", () => expect(graph("ab ab").edges).toEqual([["a", "b"]]));

  it("row 4: successors in the order the edges were added", () => {
    expect(graph("az ab").successors("a")).toEqual(["z", "b"]);
  });

  it("row 5: successors or in-degree of an unknown node is an error that names it", () => {
    expect(() => graph("ab").successors("absent")).toThrow(/absent/);
    expect(() => graph("ab").inDegree("absent")).toThrow(GraphError);
  });

  it("row 6: in-degree", () => expect(graph("ab cb").inDegree("b")).toBe(2));
  it("row 7: sorting an empty graph", () => expect(graph("").sort()).toEqual([]));
  it("row 8: sorting one node", () => expect(graph("", "a").sort()).toEqual(["a"]));
  it("row 9: a diamond, ties by name", () => expect(graph("ac ab cd bd").sort()).toEqual(["a", "b", "c", "d"]));
  it("row 10: two chains, breadth first", () => expect(graph("ab cd").sort()).toEqual(["a", "c", "b", "d"]));

  it("row 11: the same order on every call", () => {
    const two = graph("bd ac");
    expect([two.sort(), two.sort()]).toEqual([
      ["a", "b", "c", "d"],
      ["a", "b", "c", "d"],
    ]);
  });

  it.each([
    ["ab ba", ["a", "b"]],
    ["ab bc ca", ["a", "b", "c"]],
    ["aa", ["a"]],
    ["xb bc cb bd", ["b", "c"]],
  ])("row 12: a cycle is an error that names it: %s", (edges, nodes) => {
    expect(() => graph(edges).sort()).toThrow(/cycle/);
    expect(() => graph(edges).layers()).toThrow(expect.objectContaining({ code: "cycle", nodes }));
  });
});

interface Row {
  row: string;
  dsl: string | string[];
  nodes?: string;
  edges?: string;
  order?: string;
  /** Codes of the problems. */
  codes?: string[];
}

const all = ["a.b", "a-b", "a/b", "a:b", "a#b", "a_b", "é", "研究"];

const rows: Row[] = [
  { row: "13", dsl: "a >> b >> c", order: "a b c", edges: "ab bc" },
  { row: "14", dsl: "a", nodes: "a", edges: "" },
  { row: "15", dsl: "(a | b) >> c", edges: "ac bc" },
  { row: "16", dsl: "a >> (b | c)", edges: "ab ac" },
  { row: "17", dsl: "(a | b) >> (c | d)", edges: "ac ad bc bd" },
  { row: "18", dsl: "a >> (b | c) >> d", order: "a b c d" },
  { row: "19: ties go by name, not by how they are written", dsl: "(b | a) >> c", nodes: "b a c", order: "a b c" },
  { row: "20", dsl: "(z | m | a) >> (y | b) >> (x | c)", order: "a m z b y c x" },
  { row: "21: code point order", dsl: "(b | B | a | A | _ | 1 | é)", order: "1 A B _ a b é" },
  { row: "22: plain text order, not numeric", dsl: "(n10 | n9 | n2)", order: "n10 n2 n9" },
  { row: "23: code points, not UTF-16 units", dsl: "(😀 | \uFFEEx)", order: "\uFFEEx 😀" },
  { row: "24: no spaces needed", dsl: "a>>(b|c)>>d", edges: "ab ac bd cd" },
  { row: "25: over several lines", dsl: "a\n>> (\nb\n| c\n)\r\n>> d", edges: "ab ac bd cd" },
  { row: "26: tabs, no-break and ideographic spaces are trimmed", dsl: "\ta\u00A0 >>\u3000b\u3000", nodes: "a b" },
  { row: "27 Q: a leading U+FEFF is trimmed", dsl: "\uFEFFa", nodes: "a" },
  { row: "28 Q: leading U+001C and U+0085 are trimmed", dsl: "\u001Ca >> \u0085b", nodes: "a b" },
  { row: "29: a zero-width space is part of the name", dsl: "\u200Ba", nodes: "\u200Ba" },
  { row: "31: names hold . - / : # _, accents, CJK", dsl: all.join(" >> "), nodes: all.join(" ") },
  { row: "32: parentheses round one name mean nothing", dsl: "(a)", nodes: "a", edges: "" },
  { row: "33", dsl: "(a) >> (b) >> c", edges: "ab bc" },
  { row: "34: a member twice is one node", dsl: "(a | a) >> b", nodes: "a b", codes: ["duplicate-name"] },
  { row: "35: a cycle", dsl: "a >> a", codes: ["duplicate-name"] },
  { row: "36: a cycle", dsl: "a >> b >> a", codes: ["duplicate-name"] },
  { row: "37: a cycle", dsl: "(a | b) >> (b | c)", codes: ["duplicate-name"] },
  { row: "38", dsl: ["", " \n\t", "# note"], codes: ["empty-flow"] },
  { row: "39", dsl: [">>", "a >>", ">> a", "a >> >> b", "a >>>> b"], codes: ["missing-operand"] },
  { row: "40", dsl: ["(a | )", "(| a)", "(a || b)"], codes: ["missing-member"] },
  { row: "40", dsl: "( )", codes: ["empty-group"] },
  { row: "41 Q: an empty group is an error", dsl: "()", codes: ["empty-group"] },
  { row: "42 Q: a bare parallel needs parentheses", dsl: "a | b", codes: ["bare-parallel"] },
  { row: "43 Q: real nesting", dsl: "((a | b) | c) >> d", edges: "ad bd cd" },
  { row: "44 Q: real nesting", dsl: "(a >> b | c) >> d", edges: "ab bd cd" },
  { row: "45 Q", dsl: ["(a | b >> c", "a | b) >> c", "((a) >> b"], codes: ["unbalanced-parenthesis"] },
  { row: "46 Q: an error with a fix", dsl: "a >>> b", codes: ["not-an-arrow"] },
  { row: "47 Q: an error with a fix", dsl: ["a -> b", "a > b", "a, b >> c"], codes: ["not-an-arrow"] },
  { row: "48 Q", dsl: ["(a | b) c >> d", "x (a | b) >> d", "(a | b)(c | d)"], codes: ["text-beside-parenthesis"] },
  { row: "49 Q", dsl: "(f(x) | b)", codes: ["text-beside-parenthesis"] },
  { row: "50 Q: comments", dsl: "a >> b # note", nodes: "a b" },
];

describe("2. flow DSL to order", () => {
  const cases = rows.flatMap(({ dsl, ...row }) => [dsl].flat().map((text) => ({ ...row, text })));

  it.each(cases)("row $row: $text", ({ text, nodes, edges, order, codes }) => {
    const { expression, problems } = parseFlow(text);
    expect(problems.map(({ code }) => code)).toEqual(codes ?? []);
    const drawn = expression && toGraph(expression);
    if (codes === undefined) expect(drawn).not.toBeNull();
    if (nodes !== undefined) expect(drawn?.nodes.join(" ")).toBe(nodes);
    if (edges !== undefined) expect(drawn?.edges).toEqual(graph(edges).edges);
    if (order !== undefined) expect(drawn?.sort().join(" ")).toBe(order);
  });

  it.each(["a >> a", "a >> b >> a", "(a | b) >> (b | c)"])("rows 35, 36, 37: %s does not sort", (text) => {
    const { expression } = parseFlow(text);
    expect(() => expression && toGraph(expression).sort()).toThrow(/cycle/);
  });

  it("row 30: names may hold spaces", () => {
    const { expression } = parseFlow("my agent >> other one");
    expect(expression && toGraph(expression).edges).toEqual([["my agent", "other one"]]);
  });

  it("row 45 Q: with its place", () => {
    expect(parseFlow("a | b) >> c").problems[0]?.range).toEqual({ from: 5, to: 6 });
    expect(parseFlow("((a) >> b").problems[0]?.range).toEqual({ from: 0, to: 1 });
  });

  it.each(["a >>> b", "a -> b", "a > b"])("rows 46, 47 Q: %s is mended to >>", (text) => {
    expect(parseFlow(text).problems[0]?.fix?.changes).toEqual([{ from: 2, to: text.length - 2, insert: ">>" }]);
  });

  it("row 51 Q: quoting", () => {
    const { expression } = parseFlow('"a >> b" >> "say \\"c\\""');
    expect(expression && namesOf(expression).map(({ name }) => name)).toEqual(["a >> b", 'say "c"']);
  });
});
