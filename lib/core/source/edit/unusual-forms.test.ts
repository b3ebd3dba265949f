import { describe, expect, it } from "vitest";
import type { Edit } from "../../flow/edit";
import { readSource } from "../read-source";
import { edited } from "./edits.arbitrary";

const root = { type: "root" } as const;
const add: Edit = { type: "add-agent", name: "n", model: "demo:n", scope: root };
const remove = (...names: string[]): Edit => ({ type: "delete-nodes", scope: root, names, declarations: true });
const set = (name: string, field: "model" | "max_steps", value?: string | number): Edit => ({
  type: "set-agent-field",
  name,
  field,
  value,
});
const agentsOf = (text: string) => [...readSource(text).flow.agents.keys()];

describe("agents of a list in brackets", () => {
  const text = "agents: [{name: a, model: x}, {name: b, model: y}] # two\nswarm:\n  flow: a >> b\n";
  it("get another one and keep theirs", () => {
    const after = edited(text, add);
    expect(after).toContain("[{name: a, model: x}, {name: b, model: y}, { name: n, model: demo:n }] # two\n");
    expect(agentsOf(edited("agents: []\n", add))).toEqual(["n"]);
  });

  it("get a pasted one and keep theirs", () => {
    const fragment = "agents:\n  a: { model: z }\nswarm:\n  flow: a\n";
    const after = edited(text, { type: "insert-fragment", text: fragment, scope: root, place: { type: "end" } });
    expect(agentsOf(after)).toEqual(["a", "b", "a_2"]);
  });

  it("lose one of them and no other", () => {
    expect(edited(text, remove("a"))).toBe("agents: [{name: b, model: y}] # two\nswarm:\n  flow: b\n");
    expect(edited(text, remove("b"))).toBe("agents: [{name: a, model: x}] # two\nswarm:\n  flow: a\n");
    expect(agentsOf(edited(text, remove("a", "b")))).toEqual([]);
  });
});

describe("the first field of an item of a list", () => {
  const swarm = "swarm:\n  flow: a >> b\n";
  it.each([
    ["- name: a\n  - model: y\n    name: b\n", "- name: a\n  - name: b\n"],
    ["- name: a\n  - model: y # cheap\n    # who\n    name: b\n", "- name: a\n  - # who\n    name: b\n"],
    ["- name: a\n  -\n    model: y\n    name: b\n", "- name: a\n  -\n    name: b\n"],
    ["- name: a\n  - model: |\n      y\n    name: b\n", "- name: a\n  - name: b\n"],
  ])("goes and leaves the dash: %j", (before, after) => {
    const file = (list: string) => `agents:\n  ${list}${swarm}`;
    expect(edited(file(before), set("b", "model"))).toBe(file(after));
    const windows = (text: string) => file(text).replaceAll("\n", "\r\n");
    expect(edited(windows(before), set("b", "model"))).toBe(windows(after));
  });

  it("an item whose dash is on a line of its own goes with it", () => {
    const text = `agents:\n  -\n    name: a\n  - # second\n    name: b\n${swarm}`;
    expect(edited(text, remove("a"))).toBe("agents:\n  - # second\n    name: b\nswarm:\n  flow: b\n");
    expect(edited(text, remove("b"))).toBe("agents:\n  -\n    name: a\nswarm:\n  flow: a\n");
  });
});

describe("an entry without a value", () => {
  it("in braces gets a value of its own, not that of the next", () => {
    const after = edited("vars: { tone, n: 3 }\n", { type: "set-var", name: "tone", value: "kind" });
    expect(after).toBe("vars: { tone: kind, n: 3 }\n");
    expect(edited("vars: { n: 3, tone }\n", { type: "set-var", name: "x", value: 1 })).toBe(
      "vars: { n: 3, tone, x: 1 }\n",
    );
  });

  it("an agent without a value gets a field", () => {
    const after = edited("agents: { a, b: { model: x } }\nswarm: { flow: a >> b }\n", set("a", "model", "y"));
    expect(after).toBe("agents: { a: { model: y }, b: { model: x } }\nswarm: { flow: a >> b }\n");
  });

  it("with a question mark gets a value, and keeps it", () => {
    const text = "agents:\n  ? a # first\n  ? b\n  : model: x\n    max_steps: 3\nswarm:\n  ? flow\n  : a >> b\n";
    const after = edited(text, set("a", "model", "y"), set("b", "model"));
    expect(after).toBe(
      "agents:\n  ? a # first\n  :\n    model: y\n  ? b\n  : max_steps: 3\nswarm:\n  ? flow\n  : a >> b\n".replace(
        "  :\n    model: y\n",
        "  : { model: y }\n",
      ),
    );
    const handoff = edited(text, { type: "set-swarm-type", scope: root, swarm: "handoff" });
    expect(readSource(handoff).flow.swarm.agents).toEqual(["a", "b"]);
    expect(agentsOf(edited("? agents\nswarm: {}\n", add))).toEqual(["n"]);
    expect(agentsOf(edited("agents: ~ # none\nname: x\n", add))).toEqual(["n"]);
  });
});

describe("the ends of a file", () => {
  it("a name follows the byte order mark", () => {
    const text = "\uFEFFagents:\n  a: { model: x }\n";
    const name: Edit = { type: "set-flow-name", name: "Desk" };
    expect(edited(text, name)).toBe(`\uFEFFname: Desk\n${text.slice(1)}`);
  });

  it("a new section comes before the end of the document", () => {
    const text = "agents:\n  a: { model: x }\n...\n# done\n";
    const after = edited(text, { type: "set-separator", scope: root, separator: "-" });
    expect(after).toMatch(/^agents:[^.]*separator: "-"\n\.\.\.\n# done\n$/);
  });

  it("a file in braces gets a section in them", () => {
    const text = '{ "agents": { "a": { "model": "x" } } }\n';
    expect(edited(text, { type: "set-var", name: "tone", value: "kind" })).toBe(
      '{ "agents": { "a": { "model": "x" } }, vars: { tone: kind } }\n',
    );
    expect(agentsOf(edited(text, add))).toEqual(["a", "n"]);
  });

  it("an indented file gets a section at its indentation", () => {
    const after = edited("  agents:\n    a: { model: x }\n", { type: "set-var", name: "tone", value: "kind" });
    expect(after).toBe("  vars:\n    tone: kind\n  agents:\n    a: { model: x }\n");
  });
});

describe("what an alias repeats", () => {
  it("stays as it was when the anchored agent changes", () => {
    const text = "agents:\n  a: &d\n    model: x\n  b: *d # like a\nswarm:\n  flow: a >> b\n";
    const after = edited(text, set("a", "max_steps", 3));
    expect(after).toBe(
      "agents:\n  a: &d\n    model: x\n    max_steps: 3\n  b: { model: x } # like a\nswarm:\n  flow: a >> b\n",
    );
    expect(edited(text, set("a", "model", "y"), set("b", "max_steps", 4))).toContain("model: x, max_steps: 4");
  });

  it("stays where one field is repeated", () => {
    const text = "agents:\n  a: { model: &m x }\n  b: { model: *m }\n  c: { model: *m }\n";
    const after = edited(text, set("a", "model", "y"));
    expect(after).toBe("agents:\n  a: { model: &m y }\n  b: { model: x }\n  c: { model: x }\n");
  });
});

describe("equal keys", () => {
  it("the second does not come to life when the first goes", () => {
    const text = "vars: { n: 1, n: 2, m: 3 }\nagents:\n  a:\n    model: x\n    model: y\n  b: {}\n  a: { model: z }\n";
    expect(agentsOf(edited(text, remove("a")))).toEqual(["b"]);
    expect(readSource(edited(text, set("a", "model"))).flow.agents.get("a")?.model).toBeUndefined();
    expect(readSource(edited(text, { type: "set-var", name: "n" })).flow.vars.has("n")).toBe(false);
  });

  it("a name that two sections declare is gone from both", () => {
    const text =
      "agents:\n  a: { model: x }\n  b: {}\ngroups:\n  a: { type: serial, flow: b }\nswarm:\n  flow: b >> a\n";
    const after = readSource(edited(text, remove("a"))).flow;
    expect([...after.agents.keys(), ...after.groups.keys()]).toEqual(["b"]);
  });
});

describe("a variable that unreadable text may use", () => {
  it("keeps its name", () => {
    const text = `vars: { tone: kind }\nagents:\n  a:\n    instructions: \${vars.tone\n     x: [\n  b: {}\n`;
    const rename: Edit = { type: "rename-var", from: "tone", to: "mood" };
    expect(readSource(text).unreadableRanges).toHaveLength(1);
    expect(edited(text, rename)).toMatch(/^yaml-syntax/);
  });
});

describe("a handoff", () => {
  const agents = "agents: { a: {}, b: {}, c: {}, d: {} }\n";
  const handoff = (members: string, edges: string) =>
    `${agents}swarm:\n  type: handoff\n  agents: [${members}]\n  edges: [${edges}]\n`;
  it("that loses a member in the middle links its neighbours", () => {
    const out: Edit = { type: "delete-nodes", scope: root, names: ["b"], declarations: false };
    expect(edited(handoff("a, b, c", "[a, b], [b, c]"), out)).toBe(handoff("a, c", "[a, c]"));
    expect(edited(handoff("a, b, c", "[a, b], [b, a], [b, c], [a, c]"), out)).toBe(handoff("a, c", "[a, c]"));
    const two: Edit = { type: "delete-nodes", scope: root, names: ["b", "c"], declarations: false };
    expect(edited(handoff("a, b, c, d", "[a, b], [b, c], [c, d]"), two)).toBe(handoff("a, d", "[a, d]"));
  });
});
