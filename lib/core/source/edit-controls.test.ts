import { describe, expect, it } from "vitest";
import { printFlow } from "../dsl/print";
import type { Edit, Scope } from "../flow/edit";
import { lanesOf } from "../flow/flow";
import { diff, edited, problemsOf } from "./edits.arbitrary";
import { readSource } from "./read-source";

const root: Scope = { type: "root" };
const lane = (name: string, of: string): Scope => ({ type: "lane", name, lane: of });
const names = ["planner", "billing", "tech", "sales", "writer", "critic", "spare"];
const agents = `agents:\n${names.map((name) => `  ${name}:\n    model: demo:x\n`).join("")}`;

/** In blocks. */
const block = `# A desk.
${agents}branches:
  # Is it about money?
  check:
    condition: contains(input, "refund")   # plain words
    if_true: billing >> sales   # first money
routers:
  triage:
    model: demo:router
    lanes:
      # short form
      money: "billing >> sales"   # as text
      help:
        when: it does not work # who knows
        flow: tech
      rest:
        when: anything else
loops:
  refine:
    body: |
      # twice
      writer >> critic
    count: 2
approvals:
  ask:
    message: Publish?
swarm:
  flow: planner >> triage >> check >> refine >> ask
`;
/** The same in braces. */
const inBraces = `agents: { ${names.map((name) => `${name}: { model: demo:x }`).join(", ")} }
branches: { check: { condition: 'contains(input, "refund")', if_true: billing >> sales } }
routers: { triage: { model: demo:router, lanes: { money: "billing >> sales", help: { when: it does not work, flow: tech }, rest: { when: anything else } } } }
loops: { refine: { body: writer >> critic, count: 2 } }
approvals: { ask: { message: Publish? } }
swarm: { flow: planner >> triage >> check >> refine >> ask }
`;

/** What a text says about its controls. */
const controlsOf = (text: string) =>
  [...readSource(text).flow.controls.values()].map((control) => ({
    ...control,
    ...("lanes" in control ? { lanes: [...control.lanes].map(([name, { when }]) => [name, when]) } : {}),
    ...Object.fromEntries(lanesOf(control).map(([name, flow]) => [name, flow && printFlow(flow)])),
  }));
const laneOf = (text: string, name: string, of: string): string | null => {
  const control = readSource(text).flow.controls.get(name);
  const flow = control && lanesOf(control).find(([one]) => one === of)?.[1];
  return flow ? printFlow(flow) : null;
};
const set = (name: string, path: string[], value?: Extract<Edit, { type: "set-control-field" }>["value"]): Edit => ({
  type: "set-control-field",
  name,
  path,
  ...(value === undefined ? {} : { value }),
});

const condition = '    condition: contains(input, "refund")   # plain words';
const money = '      money: "billing >> sales"   # as text';
const cases: [string, Edit, gone: string[], fresh: string[]][] = [
  [
    "a condition",
    set("check", ["condition"], "len(input) > 3"),
    [condition],
    ["    condition: len(input) > 3   # plain words"],
  ],
  [
    "a condition of several lines",
    set("check", ["condition"], "a\nor b"),
    [condition],
    ["    condition: |-   # plain words", "      a", "      or b"],
  ],
  ["another way", set("check", ["if_false"], "tech"), [], ["    if_false: tech"]],
  [
    "a text for a lane in short form",
    set("triage", ["lanes", "money", "flow"], "sales"),
    [money],
    ['      money: "sales"   # as text'],
  ],
  [
    "a second field for a lane in short form",
    set("triage", ["lanes", "money", "when"], "invoices"),
    [money],
    ["      money: { flow: billing >> sales, when: invoices }   # as text"],
  ],
  ["nothing to take out of a lane in short form", set("triage", ["lanes", "money", "when"]), [], []],
  ["nothing to take out of no lane", set("triage", ["lanes", "gone", "when"]), [], []],
  [
    "no text in a lane in short form",
    set("triage", ["lanes", "money", "flow"]),
    [money],
    ["      money: {}   # as text"],
  ],
  [
    "other words for a lane",
    set("triage", ["lanes", "help", "when"], "errors"),
    ["        when: it does not work # who knows"],
    ["        when: errors # who knows"],
  ],
  [
    "a new lane",
    set("triage", ["lanes", "a: b"], { when: "x # y", flow: "spare" }),
    [],
    ['      "a: b":', '        when: "x # y"', "        flow: spare"],
  ],
  ["a new lane by its words", set("triage", ["lanes", "new", "when"], "x"), [], ["      new:", "        when: x"]],
  ["a lane less, with its comment", set("triage", ["lanes", "money"]), ["      # short form", money], []],
  ["no lane's last field", set("triage", ["lanes", "rest", "when"]), ["        when: anything else"], []],
  ["a limit for a loop", set("refine", ["limit"], 5), [], ["    limit: 5"]],
  ["nothing that it does not have", set("refine", ["while"]), [], []],
  ["nobody waiting", set("ask", ["timeout_seconds"], 60), [], ["    timeout_seconds: 60"]],
  [
    "a member behind another in a lane",
    { type: "add-agent", name: "x y", model: "demo:x", scope: lane("check", "if_true"), after: "billing" },
    ["    if_true: billing >> sales   # first money"],
    ["  x y:", "    if_true: billing >> x y >> sales   # first money"],
  ],
  [
    "a first member in an empty lane",
    { type: "add-agent", name: "fresh", model: "demo:x", scope: lane("triage", "rest") },
    [],
    ["  fresh:", "        flow: fresh"],
  ],
  [
    "a link in a lane",
    { type: "connect", scope: lane("triage", "help"), from: "tech", to: "spare" },
    ["        flow: tech"],
    ["        flow: tech >> spare"],
  ],
  [
    "no link in a lane in short form",
    { type: "disconnect", scope: lane("triage", "money"), from: "billing", to: "sales" },
    [money],
    ['      money: "(billing | sales)"   # as text'],
  ],
  [
    "members side by side in a lane",
    { type: "wrap-parallel", scope: lane("check", "if_true"), names: ["billing", "sales"] },
    ["    if_true: billing >> sales   # first money"],
    ["    if_true: (billing | sales)   # first money"],
  ],
  [
    "a group out of a lane",
    { type: "extract-group", scope: lane("check", "if_true"), names: ["billing", "sales"], name: "g", group: "serial" },
    ["    if_true: billing >> sales   # first money"],
    ["groups:", "  g:", "    type: serial", "    flow: billing >> sales", "    if_true: g   # first money"],
  ],
  [
    "a text for a lane",
    { type: "set-flow-text", scope: lane("check", "if_false"), text: "tech" },
    [],
    ["    if_false: tech"],
  ],
  [
    "no text for a lane",
    { type: "set-flow-text", scope: lane("check", "if_true"), text: " " },
    ["    if_true: billing >> sales   # first money"],
    [],
  ],
  [
    "a lane less its only member, which others use",
    { type: "delete-nodes", scope: lane("triage", "help"), names: ["tech"], declarations: false },
    ["        flow: tech"],
    [],
  ],
];

describe("an edit of a control", () => {
  it.each(cases)("gets %s, and every other line stays", (_, edit, gone, fresh) => {
    const after = edited(block, edit);
    const found = diff(block, after);
    expect(found.gone).toEqual(gone);
    const isModel = (line: string): boolean => line === "    model: demo:x";
    expect(found.fresh.filter((line) => !isModel(line))).toEqual(fresh);
    expect(problemsOf(after)).not.toContain("unknown-key");
    expect(edited(block.replaceAll("\n", "\r\n"), edit)).toBe(after.replaceAll("\n", "\r\n"));
    expect(controlsOf(edited(inBraces, edit))).toEqual(controlsOf(after));
  });

  it("keeps a text of several lines as it is written when a part of it is renamed", () => {
    const after = edited(block, { type: "rename", from: "writer", to: "a|b" });
    expect(after).toContain('    body: |\n      # twice\n      "a|b" >> critic\n');
  });

  it("deletes a member that stands in two lanes from one of them only", () => {
    const once = edited(block, {
      type: "delete-nodes",
      scope: lane("triage", "money"),
      names: ["billing"],
      declarations: true,
    });
    expect(laneOf(once, "triage", "money")).toBe("sales");
    expect(laneOf(once, "check", "if_true")).toBe("billing >> sales");
    expect(readSource(once).flow.agents.has("billing")).toBe(true);
    const gone = edited(once, {
      type: "delete-nodes",
      scope: lane("check", "if_true"),
      names: ["billing"],
      declarations: true,
    });
    expect(readSource(gone).flow.agents.has("billing")).toBe(false);
  });

  it("empties a lane and fills it again, in short form and in long", () => {
    for (const text of [block, inBraces])
      for (const of of ["money", "help"]) {
        const all = ["billing", "sales", "tech"];
        const empty = edited(text, {
          type: "delete-nodes",
          scope: lane("triage", of),
          names: all,
          declarations: false,
        });
        expect(laneOf(empty, "triage", of)).toBeNull();
        const full = edited(empty, { type: "add-agent", name: "x >> y", scope: lane("triage", of) });
        expect(laneOf(full, "triage", of)).toBe('"x >> y"');
      }
  });

  it("deletes a loop that holds itself", () => {
    const text = `${agents}loops:\n  l: { body: l, count: 2 }\nswarm: { flow: planner >> l }\n`;
    expect(edited(text, { type: "delete-nodes", scope: root, names: ["l"], declarations: true })).not.toContain("l:  ");
    expect(controlsOf(edited(text, { type: "delete-nodes", scope: root, names: ["l"], declarations: true }))).toEqual(
      [],
    );
  });

  it("edits lanes in a file without `swarm:`", () => {
    const text = block.slice(0, block.indexOf("swarm:"));
    const less = edited(text, {
      type: "delete-nodes",
      scope: lane("triage", "money"),
      names: ["sales"],
      declarations: false,
    });
    expect(laneOf(less, "triage", "money")).toBe("billing");
    expect(edited(text, { type: "add-agent", name: "n", scope: lane("check", "if_false") })).not.toContain("swarm:");
  });

  it("leaves a text alone that nothing is taken out of", () => {
    const text = `${agents}swarm:\n  flow: |\n    # why\n    planner >> billing\n`;
    const after = edited(text, { type: "delete-nodes", scope: root, names: ["spare"], declarations: true });
    expect(diff(text, after)).toEqual({ gone: ["  spare:", "    model: demo:x"], fresh: [] });
  });

  it("takes a lane for what it is, whatever its name", () => {
    const text = `${agents}routers:\n  r:\n    lanes:\n      flow: { flow: tech, when: x }\n      lanes: { when: y }\nswarm: { flow: r }\n`;
    const after = edited(
      text,
      { type: "set-flow-text", scope: lane("r", "flow"), text: "sales" },
      { type: "add-agent", name: "n", scope: lane("r", "lanes") },
    );
    expect(after).toContain("      flow: { flow: sales, when: x }\n      lanes: { when: y, flow: n }\n");
  });

  it("refuses to draw over a lane that cannot be read", () => {
    const text = block.replace('"billing >> sales"', '"billing >> ("');
    expect(edited(text, { type: "add-agent", name: "n", scope: lane("triage", "money") })).toMatch(/^yaml-syntax/);
    const mended = edited(text, { type: "set-flow-text", scope: lane("triage", "money"), text: "billing" });
    expect(laneOf(mended, "triage", "money")).toBe("billing");
  });

  it.each([
    ["an unknown control", set("nobody", ["condition"], "x"), /^unknown-name/],
    ["an agent", set("planner", ["model"], "x"), /^unknown-name/],
    ["an unknown field", set("check", ["conditon"], "x"), /^unknown-key: .*Did you mean `condition`/],
    ["a field of another type", set("ask", ["lanes", "a"], {}), /^unknown-key/],
    ["a field inside a text", set("check", ["condition", "x"], "y"), /^invalid-value/],
    ["an unknown field of a lane", set("triage", ["lanes", "help", "who"], "x"), /^unknown-key/],
    ["a lane without a name", set("triage", ["lanes", ""], {}), /^invalid-name/],
    ["a lane with a name of two lines", set("triage", ["lanes", "a\nb", "when"], "x"), /^invalid-name/],
    ["a lane that is gone", { type: "add-agent", name: "n", scope: lane("triage", "gone") }, /^unknown-name/],
    ["a lane of an agent", { type: "add-agent", name: "n", scope: lane("planner", "body") }, /^unknown-name/],
    [
      "a place behind nobody",
      { type: "add-control", control: "approval", name: "n", fields: {}, scope: root, after: "nobody" },
      /^unknown-name/,
    ],
    [
      "a control with fields of another",
      { type: "add-control", control: "approval", name: "n", fields: { body: "x" }, scope: root },
      /^unknown-key/,
    ],
    ["a taken name", { type: "add-control", control: "loop", name: "ask", fields: {}, scope: root }, /^name-taken/],
    ["a control in itself", { type: "connect", scope: lane("refine", "body"), from: "critic", to: "refine" }, /^cycle/],
    [
      "a control behind itself in itself",
      { type: "add-agent", name: "n", scope: lane("refine", "body"), after: "refine" },
      /^cycle/,
    ],
    [
      "a control in itself, wrapped",
      { type: "wrap-serial", scope: lane("check", "if_false"), names: ["check", "tech"] },
      /^cycle/,
    ],
    [
      "a member of another lane",
      { type: "connect", scope: lane("triage", "help"), from: "tech", to: "sales" },
      /^duplicate-name: "sales" stands in the lane "money"/,
    ],
  ] satisfies [string, Edit, RegExp][])("refuses %s", (_, edit, message) => {
    for (const text of [block, inBraces]) expect(edited(text, edit)).toMatch(message);
  });

  it("refuses a control that holds the one it would stand in", () => {
    const text = `${agents}loops:\n  outer: { body: inner, count: 2 }\n  inner: { body: tech, count: 2 }\nswarm: { flow: outer }\n`;
    expect(edited(text, { type: "connect", scope: lane("inner", "body"), from: "tech", to: "outer" })).toMatch(
      /^cycle: "outer" cannot stand in "inner"/,
    );
  });

  it("does not keep drafts in a lane", () => {
    const text = edited(block, {
      type: "set-flow-text",
      scope: lane("check", "if_false"),
      text: "(tech | spare) >> writer",
    });
    expect(edited(text, { type: "connect", scope: lane("check", "if_false"), from: "spare", to: "critic" })).toMatch(
      /^not-series-parallel/,
    );
  });
});

describe("aliases", () => {
  const text = `${agents}branches:
  one: &one { condition: &c len(input) > 1, if_true: &t tech >> sales }
  two: *one
  three: { condition: *c, if_true: *t }
routers:
  r1: { lanes: &l { a: tech } }
  r2: { lanes: *l }
swarm: { flow: one >> two >> three >> r1 >> r2 }
`;
  it.each([
    ["a control", set("two", ["condition"], "x")],
    ["a lane of a control", { type: "add-agent", name: "n", scope: lane("two", "if_true"), after: "tech" }],
    ["lanes", set("r2", ["lanes", "a", "when"], "x")],
    ["lanes in short form", set("r2", ["lanes", "a", "flow"], "sales")],
  ] satisfies [string, Edit][])("refuses to change %s for others too", (_, edit) => {
    expect(edited(text, edit)).toMatch(/^unsupported: .*alias/);
  });

  it("a field gets a value of its own", () => {
    const after = edited(text, set("three", ["condition"], "true"), {
      type: "delete-nodes",
      scope: lane("three", "if_true"),
      names: ["tech"],
      declarations: false,
    });
    expect(diff(text, after).fresh).toEqual(['  three: { condition: "true", if_true: sales }']);
  });

  it("refuses to take away what others repeat", () => {
    for (const edit of [set("one", ["condition"]), set("r1", ["lanes"])])
      expect(edited(text, edit)).toMatch(/^unsupported/);
  });

  it("are renamed where they are written", () => {
    const after = edited(text, { type: "rename", from: "tech", to: "my: tech" });
    for (const name of ["one", "two", "three"]) expect(laneOf(after, name, "if_true")).toBe("my: tech >> sales");
    expect(laneOf(after, "r2", "a")).toBe("my: tech");
  });
});

describe("a new control", () => {
  const lanes = { money: { when: "invoices", flow: "billing" }, rest: {} };
  const add = (control: "router" | "branch", fields: Extract<Edit, { type: "add-control" }>["fields"]): Edit => ({
    type: "add-control",
    control,
    name: "new one",
    fields,
    scope: root,
    after: "planner",
  });
  const lines = `  new one:\n    model: demo:x\n    lanes:\n      money:\n        when: invoices\n        flow: billing\n      rest: {}\n`;

  it("writes the lanes of a router on lines of their own where the file does so", () => {
    const router = add("router", { model: "demo:x", lanes });
    expect(edited(block, router)).toContain(`when: anything else\n${lines}loops:`);
    const without = block.replace(/routers:[\s\S]*?loops:/, "loops:").replace("triage >> ", "");
    expect(edited(without, router)).toContain(`routers:\n${lines}loops:`);
    expect(edited(inBraces, router)).toContain(
      ", new one: { model: demo:x, lanes: { money: { when: invoices, flow: billing }, rest: {} } } }",
    );
  });

  it("writes a small control on one line where its neighbours are", () => {
    const text = "agents:\n  planner: { model: demo:x }\nswarm: { flow: planner }\n";
    expect(edited(text, add("branch", { condition: "true", if_true: "planner" }))).toContain(
      'branches:\n  new one: { condition: "true", if_true: planner }\nswarm: { flow: planner >> new one }',
    );
    expect(edited(text, add("router", { lanes }))).toContain(
      "routers:\n  new one:\n    lanes:\n      money: { when: invoices, flow: billing }\n      rest: {}\n",
    );
  });

  it("replaces the lanes of a router readably, with the comment on their line", () => {
    const text = `${agents}routers:\n  r:\n    lanes: { a: tech } # who\n    model: demo:x\nswarm: { flow: r }\n`;
    expect(edited(text, set("r", ["lanes"], lanes))).toContain(
      "    lanes: # who\n      money: { when: invoices, flow: billing }\n      rest: {}\n    model: demo:x\n",
    );
  });

  it("joins a lane, and the whole of an empty file", () => {
    const ask: Edit = {
      type: "add-control",
      control: "approval",
      name: "ok?",
      fields: {},
      scope: lane("check", "if_true"),
      after: "sales",
    };
    expect(laneOf(edited(block, ask), "check", "if_true")).toBe("billing >> sales >> ok?");
    const first = edited("", { ...ask, scope: root, after: undefined });
    expect(first).toBe("approvals:\n  ok?: {}\nswarm:\n  type: workflow\n  flow: ok?\n");
  });
});

describe("limits", () => {
  const limit = (value?: number): Edit => ({ type: "set-limit", field: "max_tokens", ...(value ? { value } : {}) });
  it.each([
    ["none", `${agents}`, `limits:\n  max_tokens: 9\n${agents}`],
    ["blank", `limits: # later\n${agents}`, `limits: { max_tokens: 9 } # later\n${agents}`],
    [
      "some",
      `limits:\n  max_cost: 2 # dollars\n${agents}`,
      `limits:\n  max_cost: 2 # dollars\n  max_tokens: 9\n${agents}`,
    ],
    ["in braces", `limits: { max_cost: 2 }\n${agents}`, `limits: { max_cost: 2, max_tokens: 9 }\n${agents}`],
  ])("are set where there were %s, and taken out again", (_, before, after) => {
    expect(edited(before, limit(9))).toBe(after);
    expect(readSource(edited(after, limit())).flow.limits.max_tokens).toBeUndefined();
    expect(edited(before, limit())).toBe(before);
  });

  it("are refused where the whole file stands in braces", () => {
    expect(edited(`{ agents: { a: { model: "demo:x" } } }\n`, limit(9))).toMatch(/^unsupported/);
  });
});
