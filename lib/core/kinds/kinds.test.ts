import { describe, expect, it } from "vitest";
import { printFlow } from "../dsl/print";
import type { Declaration, NodeType } from "../flow/flow";
import { findDeclaration } from "../flow/flow";
import { readSource } from "../source/read-source";
import { agentDefaults } from "./agent-defaults";
import { agentSchema, createAgent } from "./agent-schema";
import { agentFieldTypes } from "./field-types";
import { loopLimits } from "./loop";
import type { PrintFlow } from "./node-kind";
import { kindOf, kindOfSection, lanesOf, listNodeKinds, membersOf } from "./registry";

const source = `name: Kinds
vars: { model: "demo:v", tone: calm }
agents:
  plain: {}
  rich:
    model: "\${vars.model}"
    description: Writes.
    instructions: "Be \${vars.tone}."
    tools: [calculator, web_search]
    tool_calls: sequential
    max_steps: 2
    on_limit: answer
    max_retries: 0
    loop_threshold: 1
    timeout_seconds: 0.5
    temperature: 0.25
    max_tokens: 100
    output_schema: { type: object }
    fallback_model: "demo:f"
    needs_approval: [calculator]
    trim_context: true
    use_history: false
groups:
  review: { type: parallel, flow: "plain | rich", separator: "; ", on_error: continue }
  steps: { type: serial, flow: "plain >> rich" }
  listed: { agents: [rich, plain] }
swarms:
  polish: { flow: "plain >> review" }
  desk: { type: handoff, agents: [plain, rich], edges: [[plain, rich]], max_handoffs: 2 }
  crew: { type: team, agents: [rich, plain] }
  scouts: { type: orchestrate, agents: [rich], max_concurrent: 2, max_agents: 5, separator: " " }
  sketch: { edges: [[plain, rich]] }
branches:
  urgent: { condition: 'contains(input, "now")', if_true: "rich >> plain", if_false: review }
  open: { condition: "true", if_true: plain }
routers:
  front:
    model: "demo:r"
    instructions: Choose.
    lanes: { bills: { when: invoices, flow: rich }, chat: { flow: plain }, none: { when: nothing } }
loops:
  refine: { body: "plain >> rich", count: 3, limit: 7, separator: " / " }
  until: { body: plain, while: "round < 3" }
  each: { body: rich, for_each: "json(input)" }
approvals:
  sign: { message: "Really \${vars.tone}?", timeout_seconds: 60 }
swarm: { flow: "polish >> urgent" }
`;
const { flow, problems } = readSource(source);

function declared(name: string): Declaration {
  const declaration = findDeclaration(flow, name);
  if (!declaration) throw new Error(`the flow has no ${name}`);
  return declaration;
}

const laneTexts = (name: string): string[] =>
  lanesOf(declared(name)).map(([lane, expression]) => `${lane}: ${expression ? printFlow(expression) : "-"}`);

const print: PrintFlow = (tree, as) => printFlow(tree, as && { as });

it("the flow of these tests can be read: only a model is missing, and a draft is no flow", () => {
  const errors = problems.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code }) => code)).toEqual(["missing-model", "not-series-parallel"]);
});

describe("what a declaration is read as", () => {
  it.each<[name: string, fields: object]>([
    ["plain", createAgent("plain")],
    [
      "rich",
      {
        model: "demo:v",
        written: { model: `\${vars.model}` },
        instructions: `Be \${vars.tone}.`,
        tools: ["calculator", "web_search"],
        tool_calls: "sequential",
        on_limit: "answer",
        timeout_seconds: 0.5,
        trim_context: true,
        use_history: false,
      },
    ],
    ["review", { type: "group", mode: "parallel", separator: "; ", on_error: "continue" }],
    ["steps", { mode: "serial", separator: "\n\n" }],
    ["listed", { mode: "parallel" }],
    ["polish", { type: "swarm", mode: "workflow", separator: "\n\n" }],
    ["desk", { mode: "handoff", agents: ["plain", "rich"], edges: [["plain", "rich"]], max_handoffs: 2 }],
    ["scouts", { mode: "orchestrate", max_concurrent: 2, max_agents: 5, separator: " " }],
    ["urgent", { type: "branch", condition: 'contains(input, "now")' }],
    ["front", { type: "router", model: "demo:r", instructions: "Choose." }],
    ["refine", { type: "loop", count: 3, limit: 7, separator: " / " }],
    ["until", { while: "round < 3", limit: loopLimits.usual, separator: "\n\n" }],
    ["each", { for_each: "json(input)" }],
    ["sign", { type: "approval", message: "Really calm?", timeout_seconds: 60 }],
  ])("%s", (name, fields) => expect(declared(name)).toMatchObject({ name, ...fields }));

  it("leaves out what is not set, so that defaults are not written", () => {
    expect(declared("steps")).not.toHaveProperty("on_error");
    expect(declared("polish")).not.toHaveProperty("agents");
    expect(declared("until")).not.toHaveProperty("count");
    expect(declared("open")).not.toHaveProperty("if_false");
    expect(declared("sketch")).not.toHaveProperty("flow");
  });
});

describe("lanes and members", () => {
  it.each<[name: string, lanes: string[], members: string[]]>([
    ["rich", [], []],
    ["review", ["flow: plain | rich"], ["plain", "rich"]],
    ["listed", ["flow: rich | plain"], ["rich", "plain"]],
    ["polish", ["flow: plain >> review"], ["plain", "review"]],
    ["desk", ["flow: -"], ["plain", "rich"]],
    ["sketch", ["flow: -"], ["plain", "rich"]],
    ["urgent", ["if_true: rich >> plain", "if_false: review"], ["rich", "plain", "review"]],
    ["open", ["if_true: plain", "if_false: -"], ["plain"]],
    ["front", ["bills: rich", "chat: plain", "none: -"], ["rich", "plain"]],
    ["refine", ["body: plain >> rich"], ["plain", "rich"]],
    ["sign", [], []],
  ])("of %s", (name, lanes, members) => {
    expect(laneTexts(name).map((lane) => lane.replace(/[()]/g, ""))).toEqual(lanes);
    expect(membersOf(declared(name))).toEqual(members);
  });

  it("names where the text of a lane is written", () => {
    expect(kindOf({ type: "router" }).lanePath("bills")).toEqual(["lanes", "bills", "flow"]);
    for (const type of ["group", "swarm", "branch", "loop"] as const)
      expect(kindOf({ type }).lanePath("flow")).toEqual(["flow"]);
  });

  it("lists the members of a swarm that have no topology", () => {
    expect(kindOf(declared("desk")).listedMembers(declared("desk"))).toEqual(["plain", "rich"]);
    expect(kindOf(declared("polish")).listedMembers(declared("polish"))).toEqual([]);
    expect(kindOf(declared("urgent")).listedMembers(declared("urgent"))).toEqual([]);
  });
});

describe("content on the canvas", () => {
  const contentOf = (name: string) => kindOf(declared(name)).content(declared(name));
  it.each<[name: string, content: object | null]>([
    ["plain", null],
    ["sign", null],
    ["review", { type: "flow" }],
    ["polish", { type: "flow" }],
    ["urgent", { type: "lanes" }],
    ["front", { type: "lanes" }],
    ["refine", { type: "lanes" }],
    ["desk", { type: "graph", linkType: "handoff", links: [["plain", "rich"]], ranks: "distance" }],
    ["crew", { type: "graph", linkType: "delegate", links: [["rich", "plain"]], ranks: "distance" }],
    ["scouts", { type: "graph", linkType: "spawn", links: [], members: ["rich"] }],
    ["sketch", { type: "graph", linkType: "draft", links: [["plain", "rich"]] }],
  ])("of %s", (name, content) => {
    if (content === null) expect(contentOf(name)).toBeNull();
    else expect(contentOf(name)).toMatchObject(content);
  });

  it("an empty group or workflow has members, of which there are none", () => {
    for (const type of ["group", "swarm"] as const) {
      const kind = kindOf({ type });
      expect(kind.content(kind.create("new"))).toEqual({ type: "members", members: [] });
    }
  });
});

describe("searchable fields", () => {
  const textsOf = (name: string): string[] =>
    kindOf(declared(name))
      .searchFields(declared(name))
      .map(({ area, label, path, text }) => `${area}/${label}/${path.join(".")}: ${text}`);
  it.each<[name: string, fields: string[]]>([
    ["plain", []],
    [
      "rich",
      [
        `models/Model/model: \${vars.model}`,
        "models/Fallback model/fallback_model: demo:f",
        "other/Description/description: Writes.",
        `instructions/Instructions/instructions: Be \${vars.tone}.`,
        "tools/Tool/tools.0: calculator",
        "tools/Tool/tools.1: web_search",
      ],
    ],
    ["review", []],
    ["polish", []],
    ["urgent", ['other/Condition/condition: contains(input, "now")']],
    ["refine", []],
    ["until", ["other/While/while: round < 3"]],
    ["each", ["other/For each/for_each: json(input)"]],
    [
      "front",
      [
        "models/Model/model: demo:r",
        "instructions/Instructions/instructions: Choose.",
        "other/When bills/lanes.bills.when: invoices",
        "other/When none/lanes.none.when: nothing",
      ],
    ],
    ["sign", [`instructions/Question/message: Really \${vars.tone}?`]],
  ])("of %s are the texts of the file", (name, fields) => expect(textsOf(name)).toEqual(fields));
});

describe("what is written for a declaration", () => {
  const written = (name: string): Record<string, unknown> =>
    Object.fromEntries(
      kindOf(declared(name))
        .write(declared(name), print)
        .filter(([, value]) => value !== undefined),
    );
  it.each<[name: string, fields: Record<string, unknown>]>([
    ["plain", {}],
    ["review", { type: "parallel", flow: "plain | rich", separator: "; ", on_error: "continue" }],
    ["steps", { type: "serial", flow: "plain >> rich" }],
    ["polish", { type: "workflow", flow: "plain >> review" }],
    ["crew", { type: "team", agents: ["rich", "plain"] }],
    ["open", { condition: "true", if_true: "plain" }],
    ["until", { body: "plain", while: "round < 3" }],
    ["refine", { body: "plain >> rich", count: 3, limit: 7, separator: " / " }],
    ["sign", { message: "Really calm?", timeout_seconds: 60 }],
    [
      "front",
      {
        model: "demo:r",
        instructions: "Choose.",
        lanes: new Map<string, object>([
          ["bills", { when: "invoices", flow: "rich" }],
          ["chat", { flow: "plain" }],
          ["none", { when: "nothing" }],
        ]),
      },
    ],
  ])("%s has no field with its default", (name, fields) => expect(written(name)).toEqual(fields));

  it("an agent has its fields in the usual order, those with defaults left out", () => {
    expect(Object.keys(written("rich"))).toEqual([
      ...["model", "description", "instructions", "tools", "tool_calls", "max_steps", "on_limit", "max_retries"],
      ...["loop_threshold", "needs_approval", "trim_context", "use_history"],
      ...["timeout_seconds", "temperature", "max_tokens", "output_schema", "fallback_model"],
    ]);
  });
});

describe("lanes that cannot be read", () => {
  const brokenFlow = (change: (text: string) => string) =>
    readSource(change(source), undefined, readSource(source)).flow;
  it.each<[name: string, from: string, to: string]>([
    ["review", '"plain | rich", separator', '"plain | (", separator'],
    ["polish", '"plain >> review"', '"plain >> ("'],
    ["urgent", '"rich >> plain"', '"rich >> ("'],
    ["front", "flow: rich }", 'flow: "(" }'],
    ["refine", '"plain >> rich", count', '"plain >> (", count'],
  ])("of %s stay as they were when they could be read", (name, readable, broken) => {
    const flowAfter = brokenFlow((text) => text.replace(readable, broken));
    const [declaration, before] = [findDeclaration(flowAfter, name), declared(name)];
    expect(declaration && membersOf(declaration)).toEqual(membersOf(before));
  });

  it("are restored one by one: a lane that was removed stays removed", () => {
    const branch = findDeclaration(
      brokenFlow((text) => text.replace('"rich >> plain", if_false: review', '"rich >> ("')),
      "urgent",
    );
    expect(branch && membersOf(branch)).toEqual(["rich", "plain"]);
    const { restoreLanes } = kindOf({ type: "branch" });
    const previous = { ...declared("urgent") };
    const current = kindOf({ type: "branch" }).create("urgent");
    expect(membersOf(restoreLanes(current, previous, ["if_false"]))).toEqual(["review"]);
    expect(membersOf(restoreLanes(current, previous, []))).toEqual([]);
  });
});

describe("agents", () => {
  it("have these defaults", () => {
    expect(createAgent("a")).toEqual({
      type: "agent",
      name: "a",
      tools: [],
      needs_approval: [],
      ...agentDefaults,
    });
  });

  it("are created as their schema reads them, with the same fields", () => {
    expect(kindOf({ type: "agent" }).create("a")).toEqual(createAgent("a"));
    expect(Object.keys(agentFieldTypes).toSorted()).toEqual(Object.keys(agentSchema.shape).toSorted());
  });

  it.each<[field: keyof typeof agentSchema.shape, accepted: unknown[], refused: unknown[]]>([
    ["model", ["m", "x".repeat(200)], ["", "x".repeat(201), 5, null]],
    ["instructions", ["", "x".repeat(100_000)], [5, null]],
    ["tools", [[], ["t"]], [[""], "t", [1]]],
    ["max_steps", [1, 1000], [0, 1001, 1.5, "3", Number.NaN]],
    ["tool_calls", ["sequential", "parallel", undefined], ["serial", true, null]],
    ["on_limit", ["answer", "fail", undefined], ["stop", false, null]],
    ["max_retries", [0, 20], [-1, 21, 0.5]],
    ["loop_threshold", [1, 100], [0, 101]],
    ["timeout_seconds", [0.001, 86_400], [0, -1, 86_401, Number.POSITIVE_INFINITY]],
    ["temperature", [0, 0.7, 2], [-0.1, 2.1, "1"]],
    ["max_tokens", [1, 10_000_000], [0, 10_000_001, 1.5]],
    ["output_schema", [{}, { type: "object" }], [[], null, "object", true]],
    ["fallback_model", ["m"], [""]],
    ["needs_approval", [["t"]], ["t", [""]]],
    ["trim_context", [true, false], ["yes", 1]],
    ["use_history", [true, false], ["no", 0]],
  ])("accept %s within its bounds only", (field, accepted, refused) => {
    for (const value of accepted) expect(agentSchema.safeParse({ [field]: value }).success).toBe(true);
    for (const value of refused) expect(agentSchema.safeParse({ [field]: value }).success).toBe(false);
  });

  it("refuse fields that no agent has", () => {
    expect(agentSchema.safeParse({ modle: "x" }).success).toBe(false);
    expect(() => createAgent("a", { max_steps: 0 })).toThrow();
  });
});

describe("controls", () => {
  const codesOf = (section: string): string[] =>
    readSource(`agents: { a: { model: demo:x } }\n${section}\nswarm: { flow: a }\n`).problems.map(
      ({ severity, code }) => `${severity} ${code}`,
    );
  const unreached = "warning not-reached";
  it.each<[text: string, section: string, codes: string[]]>([
    ["a branch", "branches: { x: { condition: 'true', if_false: a } }", []],
    ["a branch without a condition", "branches: { x: { if_true: a } }", ["error invalid-condition"]],
    ["a branch without lanes", "branches: { x: { condition: 'true' } }", ["error no-members"]],
    ["a router without lanes", "routers: { x: { model: demo:x } }", ["error no-members"]],
    ["a router without a model", "routers: { x: { lanes: { l: { flow: a } } } }", ["error missing-model"]],
    ["a loop without a body", "loops: { x: { count: 1 } }", ["error no-members"]],
    ["a loop without an end", "loops: { x: { body: a } }", ["error invalid-value"]],
    ["a loop with two ends", "loops: { x: { body: a, count: 1, while: 'true' } }", ["error invalid-value"]],
    ["a loop of no rounds", "loops: { x: { body: a, count: 0 } }", []],
    ["a loop of too many rounds", "loops: { x: { body: a, count: 10001 } }", ["error invalid-value"]],
    ["a loop with a limit of 0", "loops: { x: { body: a, count: 1, limit: 0 } }", ["error invalid-value"]],
    ["an approval without a question", "approvals: { x: {} }", []],
    ["an approval that ends at once", "approvals: { x: { timeout_seconds: 0 } }", ["error invalid-value"]],
    ["a group without members", "groups: { x: {} }", ["error no-members"]],
    ["a group of an unknown type", "groups: { x: { type: both, flow: a | b } }", ["error invalid-value"]],
    ["a nested workflow without a flow", "swarms: { x: {} }", ["error empty-flow"]],
  ])("%s", (_, section, codes) => {
    const found = codesOf(section).filter((code) => code !== unreached && code !== "error unknown-name");
    expect(found).toEqual(codes);
  });
});

describe("the registry", () => {
  const types: NodeType[] = ["agent", "group", "swarm", "branch", "router", "loop", "approval"];

  it("has every kind, by its type and by its section", () => {
    expect(listNodeKinds().map(({ type }) => type)).toEqual(expect.arrayContaining(types));
    for (const type of types) {
      const kind = kindOf({ type });
      expect(kind.type).toBe(type);
      expect(kindOfSection(kind.section)).toBe(kind);
      expect(kind.create("x")).toMatchObject({ type, name: "x" });
      expect(kind.title("x")).toMatch(/^\p{L}+ "x"$/u);
    }
    expect(kindOfSection("limits")).toBeUndefined();
    expect(listNodeKinds().flatMap(({ type, isControl }) => (isControl ? [type] : []))).toEqual([
      "branch",
      "router",
      "loop",
      "approval",
    ]);
  });

  it.each(types)("a new %s can be read back from what is written for it", (type) => {
    const kind = kindOf({ type });
    const fields = kind.write(kind.create("x"), print).filter(([, value]) => value !== undefined);
    expect(fields.filter(([field]) => !kind.fields.includes(field))).toEqual([]);
  });

  it("declares a name once: the first declaration counts", () => {
    for (const type of types) {
      const kind = kindOf({ type });
      const maps = { agents: new Map(), groups: new Map(), swarms: new Map(), controls: new Map() };
      const [first, second] = [kind.create("x"), kind.create("x")];
      kind.declare(maps, first);
      kind.declare(maps, second);
      const declarations = [maps.agents, maps.groups, maps.swarms, maps.controls].flatMap((map) => [...map.values()]);
      expect(declarations).toEqual([first]);
      expect(declarations[0]).toBe(first);
      expect(kind.collection({ ...flow, ...maps }).get("x")).toBe(first);
    }
  });

  it("throws for a type that is not registered: an error of the program, not of the flow", () => {
    expect(() => kindOf({ type: "delay" })).toThrow("No node kind is registered for the type delay.");
  });
});
