import { describe, expect, it } from "vitest";
import { type Edit, emptyLayout, type Scope } from "../../flow/edit";
import { applyEdit } from "../apply-edit";
import { agents, block, inBraces, lane, laneOf, root, set } from "../read/controls.arbitrary";
import { readSource } from "../read-source";
import { diff, edited } from "./edits.arbitrary";

describe("the last member of a group, swarm or control", () => {
  const noticeOf = (section: string, scope: Scope, names: readonly string[] = ["b"]): string | undefined => {
    const text = `agents: { a: {}, b: {} }\n${section}\nswarm: { flow: a >> x }\n`;
    const edit: Edit = { type: "delete-nodes", scope, names, declarations: true };
    const result = applyEdit(readSource(text), emptyLayout, edit);
    return result.ok ? result.notice : result.problem.message;
  };
  it("is deleted with a word about what stays empty", () => {
    const body = { type: "lane", name: "x", lane: "body" } as const;
    const lane = { type: "lane", name: "x", lane: "if_true" } as const;
    const rest = "has no members left. Add one, or delete it too.";
    expect(noticeOf('loops: { x: { body: "b", count: 2 } }', body)).toBe(`Loop "x" ${rest}`);
    expect(noticeOf('groups: { x: { flow: "b" } }', { type: "group", name: "x" })).toBe(`Group "x" ${rest}`);
    expect(noticeOf("swarms: { x: { type: team, agents: [b] } }", { type: "swarm", name: "x" })).toBe(
      `Swarm "x" ${rest}`,
    );
    expect(noticeOf('branches: { x: { condition: "true", if_true: b } }', lane)).toBe(`Branch "x" ${rest}`);
  });

  it("needs no word where others stay", () => {
    const lane = { type: "lane", name: "x", lane: "if_true" } as const;
    expect(noticeOf('branches: { x: { condition: "true", if_true: b, if_false: a } }', lane)).toBeUndefined();
    expect(noticeOf('groups: { x: { flow: "a | b" } }', { type: "group", name: "x" })).toBeUndefined();
    expect(noticeOf('loops: { x: { body: "b", count: 2 } }', { type: "root" }, ["x"])).toBeUndefined();
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

  it("what is taken away stays where others repeat it", () => {
    const before = readSource(text).flow.controls;
    for (const edit of [set("one", ["condition"]), set("r1", ["lanes"])]) {
      const after = readSource(edited(text, edit)).flow.controls;
      expect(after.get("two")).toEqual(before.get("two"));
      expect(after.get("r2")).toEqual(before.get("r2"));
    }
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

  it("writes one key a line and its condition in single quotes, even where its neighbours are in braces", () => {
    const text = "agents:\n  planner: { model: demo:x }\nswarm: { flow: planner }\n";
    expect(edited(text, add("branch", { condition: "true", if_true: "planner" }))).toContain(
      "branches:\n  new one:\n    condition: 'true'\n    if_true: planner\nswarm: { flow: planner >> new one }",
    );
    expect(edited(text, add("router", { lanes }))).toContain(
      "routers:\n  new one:\n    lanes:\n      money:\n        when: invoices\n        flow: billing\n      rest: {}\n",
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

  it("are in the braces of a file that is in braces as a whole", () => {
    const after = `{ agents: { a: { model: "demo:x" } }, limits: { max_tokens: 9 } }\n`;
    expect(edited(`{ agents: { a: { model: "demo:x" } } }\n`, limit(9))).toBe(after);
  });
});
