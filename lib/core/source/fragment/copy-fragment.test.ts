import { describe, expect, it } from "vitest";
import { parseFlow } from "../../dsl/parse";
import { printFlow } from "../../dsl/print";
import { toGraph } from "../../dsl/series-parallel";
import type { InsertionPoint, Scope } from "../../flow/edit";
import type { Expression } from "../../flow/expression";
import { exportFlow } from "../formats/export/export-flow";
import { importFlow } from "../formats/import/import-flow";
import { readSource } from "../read-source";
import { writeSource } from "../write-source";
import { copyFragment, fragmentMark } from "./copy-fragment";
import { placeExpression } from "./place-expression";

const root: Scope = { type: "root" };
const copy = (source: string, names: readonly string[], scope: Scope = root): string =>
  copyFragment(readSource(source), [{ scope, names }]);
const bodyOf = (fragment: string): string => {
  const [mark, ...lines] = fragment.split("\n");
  expect(mark).toBe(fragmentMark);
  return lines.join("\n");
};

describe("a copied part of a flow", () => {
  it.each<[what: string, names: string[]]>([
    ["nothing is picked", []],
    ["names are picked that nothing declares", ["x", "y"]],
  ])("is empty where %s", (_, names) => {
    expect(bodyOf(copy("agents: { a: {} }\nswarm: { flow: a }\n", names))).toBe("");
  });

  it.each<[what: string, source: string, names: string[], flow: string | undefined]>([
    ["a link between two members", "swarm: { flow: a >> b >> c }", ["a", "b"], "a >> b"],
    ["members that are not next to each other", "swarm: { flow: a >> b >> c }", ["c", "a"], "a >> c"],
    ["members side by side", "swarm: { flow: a >> (b | c) }", ["b", "c"], "(b | c)"],
    ["a member that waits next to the flow", "swarm: { flow: a }", ["b"], undefined],
    ["members of a team", "swarm: { type: team, agents: [a, b, c] }", ["a", "c"], "(a | c)"],
    ["members of a drawing", "swarm: { edges: [[a, c], [b, c], [b, d]] }", ["a", "c"], "a >> c"],
    ["the N of a drawing", "swarm: { edges: [[a, c], [b, c], [b, d]] }", ["a", "b", "c", "d"], undefined],
    ["one handoff agent without links", "swarm: { type: handoff, agents: [a, b], edges: [[a, b]] }", ["b"], "b"],
  ])("has the topology of %s", (_, swarm, names, flow) => {
    const fragment = copy(`agents: { a: {}, b: {}, c: {}, d: {} }\n${swarm}\n`, names);
    expect(/^ {2}flow: (.*)$/m.exec(fragment)?.[1]).toBe(flow);
    expect([...readSource(fragment).flow.agents.keys()].toSorted()).toEqual(names.toSorted());
  });

  it("joins members of several scopes side by side, each once", () => {
    const source = `agents: { a: {}, b: {}, c: {} }
groups: { g: { type: serial, flow: b >> c } }
swarm: { flow: a >> g }
`;
    const fragment = copyFragment(readSource(source), [
      { scope: root, names: ["a"] },
      { scope: { type: "group", name: "g" }, names: ["b", "c", "a"] },
    ]);
    expect(bodyOf(fragment)).toMatch(/^swarm:\n {2}flow: \(a \| b >> c\)$/m);
  });

  it("has a member once that is picked twice", () => {
    const pick = { scope: root, names: ["a"] };
    const fragment = copyFragment(readSource("agents: { a: {}, b: {} }\nswarm: { flow: a >> b }\n"), [pick, pick]);
    expect(bodyOf(fragment)).toBe("agents:\n  a: {}\nswarm:\n  flow: a\n");
  });

  it("brings what its members hold, to any depth, and the variables that these use", () => {
    const source = `vars: { one: 1, two: 2, three: 3, four: 4 }
agents:
  a: { model: "demo:x", instructions: "\${vars.one}" }
  b: { model: "demo:x" }
branches: { q: { condition: "vars.two > 1", if_true: b } }
groups: { g: { type: parallel, flow: "a | q" } }
swarms: { s: { flow: g } }
swarm: { flow: s }
`;
    const { flow, problems } = readSource(copy(source, ["s"]));
    expect([[...flow.vars.keys()], problems]).toEqual([["one", "two"], []]);
    expect([[...flow.agents.keys()], [...flow.controls.keys()], [...flow.groups.keys()]]).toEqual([
      ["a", "b"],
      ["q"],
      ["g"],
    ]);
  });

  it("is written anew where its text means something only at its place", () => {
    const source = `agents:
  a: { model: "demo:x", tools: &tools [read_page] }
  b:
    model: "demo:y"
    tools: *tools
swarm: { flow: a >> b }
`;
    const body = bodyOf(copy(source, ["b"]));
    expect(body).not.toMatch(/[*&]tools/);
    expect(readSource(body).flow.agents.get("b")).toMatchObject({ model: "demo:y", tools: ["read_page"] });
  });

  it("of a list of agents becomes a section of names", () => {
    const source = "agents:\n  - name: a\n    model: demo:x\n  - name: b\nswarm: { flow: a >> b }\n";
    expect(bodyOf(copy(source, ["a"]))).toBe("agents:\n  a:\n    model: demo:x\nswarm:\n  flow: a\n");
  });

  it("keeps comments and line ends of its own lines only", () => {
    const source =
      "agents:\r\n  # before a\r\n  a: {}   # at a\r\n  # before b\r\n  b: {}\r\nswarm: { flow: a >> b }\r\n";
    expect(bodyOf(copy(source, ["a"]))).toBe("agents:\n  # before a\n  a: {}   # at a\nswarm:\n  flow: a\n");
  });
});

describe("placing an expression in another", () => {
  const parse = (text: string): Expression => {
    const { expression } = parseFlow(text);
    if (!expression) throw new Error(`not a flow: ${text}`);
    return expression;
  };
  const place = (text: string, point: InsertionPoint) => {
    const { expression, notice } = placeExpression(parse(text), parse("x >> y"), point);
    return { text: printFlow(expression), notice };
  };

  it.each<[text: string, point: InsertionPoint, expected: string]>([
    ["a", { type: "after", names: ["a"] }, "a >> x >> y"],
    ["a >> b", { type: "after", names: [] }, "a >> b >> x >> y"],
    ["a >> b", { type: "after", names: ["missing"] }, "a >> b >> x >> y"],
    ["a >> b >> c", { type: "after", names: ["b", "a"] }, "a >> b >> x >> y >> c"],
    ["(a | b) >> c", { type: "after", names: ["b"] }, "(a | b >> x >> y) >> c"],
    ["(a | b | c) >> d", { type: "beside", names: ["a", "b"] }, "(a | b | x >> y | c) >> d"],
    ["a >> b >> c", { type: "beside", names: ["b"] }, "a >> (b | x >> y) >> c"],
    ["a >> b >> c", { type: "beside", names: ["a", "c"] }, "a >> b >> (c | x >> y)"],
    ["a >> b", { type: "between", from: "a", to: "b" }, "a >> x >> y >> b"],
    ["a >> (b | c)", { type: "between", from: "a", to: "c" }, "a >> (b | x >> y >> c)"],
    ["(a | b) >> c", { type: "between", from: "b", to: "c" }, "(a | b >> x >> y) >> c"],
    ["a >> b >> c", { type: "between", from: "a", to: "c" }, "a >> x >> y >> b >> c"],
    ["a >> b", { type: "end" }, "a >> b >> x >> y"],
  ])("in %s at %j gives %s", (text, point, expected) => {
    expect(place(text, point)).toEqual({ text: expected, notice: undefined });
  });

  it("keeps every link, and reports where one link alone cannot be named", () => {
    const point: InsertionPoint = { type: "between", from: "a", to: "d" };
    const { text, notice } = place("(a | b) >> (c | d)", point);
    const { expression } = placeExpression(parse("(a | b) >> (c | d)"), parse("x"), point);
    const graph = toGraph(expression);
    expect(text).toBe("(a | b) >> (c | x >> y >> d)");
    expect(notice).toContain('Several steps lead to "d"');
    for (const [source, target] of [
      ["a", "c"],
      ["b", "c"],
      ["a", "x"],
      ["b", "x"],
      ["x", "d"],
    ] as const)
      expect(graph.hasEdge(source, target)).toBe(true);
  });
});

describe("lanes whose names are numbers", () => {
  const text =
    "agents: { a: {}, b: {}, c: {} }\nrouters:\n  r: { lanes: { 10: a, 2: b, 1: { when: x, flow: c } } }\nswarm:\n  flow: r\n";
  const lanesOf = (source: string) => {
    const router = [...readSource(source).flow.controls.values()][0];
    return router?.type === "router" ? [...router.lanes.keys()] : [];
  };

  it("keep their order when they are copied and inserted, exported and imported", () => {
    const document = readSource(text);
    const copied = copyFragment(document, [{ scope: { type: "root" }, names: ["r"] }]);
    expect(lanesOf(copied)).toEqual(["10", "2", "1"]);
    expect(lanesOf(writeSource(document.flow))).toEqual(["10", "2", "1"]);
    const { text: json } = exportFlow(document, "json");
    expect(lanesOf(json)).toEqual(["10", "2", "1"]);
    expect(lanesOf(importFlow(json).source)).toEqual(["10", "2", "1"]);
  });

  it("keep their order where the declaration is written anew, without its aliases", () => {
    const document = readSource(text.replace("10: a, 2: b", "10: &step a, 2: *step"));
    expect(lanesOf(copyFragment(document, [{ scope: { type: "root" }, names: ["r"] }]))).toEqual(["10", "2", "1"]);
  });
});
