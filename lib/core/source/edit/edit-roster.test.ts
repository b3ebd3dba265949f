import { describe, expect, it } from "vitest";
import { printFlow } from "../../dsl/print";
import type { Edit, Scope } from "../../flow/edit";
import { readSource } from "../read-source";
import { diff, edited, problemsOf } from "./edits.arbitrary";

const root: Scope = { type: "root" };
const agents = (...names: string[]): string =>
  `agents:\n${names.map((name) => `  ${name}: { model: "demo:x" }\n`).join("")}`;
const withoutLimit = (text: string) => ({ ...readSource(text).flow.swarm, max_handoffs: undefined });
const rootOf = (text: string) => readSource(text).flow.swarm;

const block = `# A desk.
${agents("triage", "billing", "tech", "boss", "spare")}swarm:
  type: handoff   # one at a time
  # the first starts
  agents:
    - triage   # greets
    # knows the prices
    - billing
    - tech     # knows the rest
  edges:
    - [triage, billing]   # money
    - [triage, tech]
    - - tech
      - triage # back
  max_handoffs: 4
`;
const inBraces = `${agents("triage", "billing", "tech", "boss", "spare")}swarm: { type: handoff, agents: [triage, billing, tech], edges: [[triage, billing], [triage, tech], [tech, triage]] } # desk\n`;

describe("a handoff swarm", () => {
  const cases: [string, Edit, gone: string[], fresh: string[]][] = [
    ["a handoff", { type: "connect", scope: root, from: "billing", to: "tech" }, [], ["    - [billing, tech]"]],
    [
      "a handoff to a new member",
      { type: "connect", scope: root, from: "billing", to: "boss" },
      [],
      ["    - boss", "    - [billing, boss]"],
    ],
    [
      "no handoff any more",
      { type: "disconnect", scope: root, from: "triage", to: "billing" },
      ["    - [triage, billing]   # money"],
      [],
    ],
    [
      "the last handoff of the list gone",
      { type: "disconnect", scope: root, from: "tech", to: "triage" },
      ["    - - tech", "      - triage # back"],
      [],
    ],
    [
      "a member gone",
      { type: "delete-nodes", scope: root, names: ["billing"], declarations: false },
      ["    # knows the prices", "    - billing", "    - [triage, billing]   # money"],
      [],
    ],
    [
      "a new member after another",
      { type: "add-agent", name: "legal", model: "demo:x", scope: root, after: "tech" },
      [],
      ["  legal:", "    model: demo:x", "    - legal", "    - [tech, legal]"],
    ],
    [
      "a new member beside the others",
      { type: "add-agent", name: "a, b", model: "demo:x", scope: root },
      [],
      ["  a, b:", "    model: demo:x", '    - "a, b"'],
    ],
    [
      "another name",
      { type: "rename", from: "tech", to: "the: tech" },
      ['  tech: { model: "demo:x" }', "    - tech     # knows the rest", "    - [triage, tech]", "    - - tech"],
      [
        '  "the: tech": { model: "demo:x" }',
        '    - "the: tech"     # knows the rest',
        '    - [triage, "the: tech"]',
        '    - - "the: tech"',
      ],
    ],
    [
      "a limit",
      { type: "set-swarm-field", scope: root, field: "max_handoffs", value: 9 },
      ["  max_handoffs: 4"],
      ["  max_handoffs: 9"],
    ],
    ["no limit", { type: "set-swarm-field", scope: root, field: "max_handoffs" }, ["  max_handoffs: 4"], []],
    [
      "a team of it",
      { type: "set-swarm-type", scope: root, swarm: "team" },
      [
        "  type: handoff   # one at a time",
        "  edges:",
        "    - [triage, billing]   # money",
        "    - [triage, tech]",
        "    - - tech",
        "      - triage # back",
      ],
      ["  type: team   # one at a time"],
    ],
  ];
  it.each(cases)("gets %s, and every other line stays", (_, edit, gone, fresh) => {
    const after = edited(block, edit);
    expect(diff(block, after)).toEqual({ gone, fresh });
    expect(problemsOf(after)).not.toContain("invalid-value");
    const windows = block.replaceAll("\n", "\r\n");
    expect(edited(windows, edit)).toBe(after.replaceAll("\n", "\r\n"));
    expect(withoutLimit(edited(inBraces, edit))).toEqual(withoutLimit(after));
  });

  it("loses all its members, and takes new ones", () => {
    for (const text of [block, inBraces]) {
      const names = ["triage", "billing", "tech"];
      const empty = edited(text, { type: "delete-nodes", scope: root, names, declarations: true });
      expect(rootOf(empty)).toMatchObject({ agents: [], edges: [] });
      expect(problemsOf(empty)).toContain("no-members");
      const again = edited(empty, { type: "connect", scope: root, from: "boss", to: "spare" });
      expect(rootOf(again)).toMatchObject({ agents: ["boss", "spare"], edges: [["boss", "spare"]] });
    }
  });

  it.each([
    ["itself", { type: "connect", scope: root, from: "boss", to: "boss" }, /^cycle/],
    ["ghost", { type: "connect", scope: root, from: "tech", to: "ghost" }, /^unknown-name/],
    ["a place after an unknown name", { type: "add-agent", name: "n", scope: root, after: "ghost" }, /^unknown-name/],
    ["a link that is not there", { type: "disconnect", scope: root, from: "tech", to: "boss" }, /^unknown-name/],
    ["an order", { type: "set-flow-text", scope: root, text: "a" }, /^unsupported/],
    ["its members wrapped", { type: "wrap-serial", scope: root, names: ["tech", "boss"] }, /^unsupported/],
  ] satisfies [string, Edit, RegExp][])("refuses %s", (_, edit, message) => {
    expect(edited(block, edit)).toMatch(message);
  });

  it("keeps the members that only its links name", () => {
    const text = `${agents("a", "b", "c")}swarm:\n  type: handoff\n  edges: [[a, b]]\n`;
    expect(rootOf(edited(text, { type: "connect", scope: root, from: "b", to: "c" }))).toMatchObject({
      agents: ["a", "b", "c"],
      edges: [
        ["a", "b"],
        ["b", "c"],
      ],
    });
    expect(edited(text, { type: "set-swarm-type", scope: root, swarm: "workflow" })).toContain("flow: a >> b >> c\n");
  });

  it("is defined by its list alone once that changes", () => {
    const text = `${agents("a", "b", "c")}swarm:\n  type: handoff\n  agents: [a, b]\n  flow: a >> b >> c\n  edges: [[a, b]]\n`;
    for (const [name, left] of [
      ["b", "[a]"],
      ["c", "[a, b]"],
    ] as const) {
      const after = edited(text, { type: "delete-nodes", scope: root, names: [name], declarations: true });
      expect(after).toContain(`  agents: ${left}\n  edges: `);
      expect(readSource(after).flow.agents.has(name)).toBe(false);
    }
  });

  it("keeps the comments of a list in brackets on several lines", () => {
    const list = "[\n    a, # lead\n    b, # helps\n    c # last\n  ]";
    const text = `${agents("a", "b", "c", "d")}swarm:\n  type: handoff\n  agents: ${list}\n  edges: [[a, b]]\n`;
    const grown = edited(text, { type: "add-agent", name: "e", scope: root });
    expect(grown).toContain("[\n    a, # lead\n    b, # helps\n    c, e # last\n  ]");
    for (const name of ["b", "c"]) {
      const less = edited(text, { type: "delete-nodes", scope: root, names: [name], declarations: false });
      expect(rootOf(less).agents).toEqual(["a", "b", "c"].filter((one) => one !== name));
      expect(less).toContain("# lead");
      expect(less).toContain("# helps");
    }
  });
});

describe("a swarm changes its type", () => {
  const order = `${agents("a", "b", "c")}swarm:\n  type: workflow\n  # why\n  flow: a >> (b | c)   # left to right\n  separator: "-"\n`;

  it("from an order to a list in its place, and back", () => {
    const team = edited(order, { type: "set-swarm-type", scope: root, swarm: "team" });
    expect(diff(order, team)).toEqual({
      gone: ["  type: workflow", "  flow: a >> (b | c)   # left to right"],
      fresh: ["  type: team", "  agents: [a, b, c]   # left to right"],
    });
    const back = edited(team, { type: "set-swarm-type", scope: root, swarm: "workflow" });
    expect(back).toContain("  # why\n  flow: a >> b >> c   # left to right\n");
    const handoff = edited(order, { type: "set-swarm-type", scope: root, swarm: "handoff" });
    expect(rootOf(handoff).edges).toEqual([
      ["a", "b"],
      ["a", "c"],
    ]);
    expect(problemsOf(handoff)).toEqual([]);
  });

  it("from a draft, with all its members", () => {
    const draft = `${agents("a", "b", "c", "d", "e")}swarm:\n  edges: [[a, c], [b, c], [b, d]]\n  agents: [e]\n`;
    for (const swarm of ["team", "orchestrate", "handoff"] as const) {
      const found = rootOf(edited(draft, { type: "set-swarm-type", scope: root, swarm }));
      expect(found.agents?.toSorted()).toEqual(["a", "b", "c", "d", "e"]);
      expect(found.edges?.length).toBe(swarm === "handoff" ? 3 : undefined);
    }
  });

  it("in a file without `swarm:`, and in one without anything in it", () => {
    const plain = agents("a", "b");
    const handoff = edited(plain, { type: "set-swarm-type", scope: root, swarm: "handoff" });
    expect(handoff).toBe(`${plain}swarm:\n  type: handoff\n  agents: [a, b]\n  edges: [[a, b]]\n`);
    const blank = edited(`${plain}swarm:\n`, { type: "set-swarm-type", scope: root, swarm: "team" });
    expect(blank).toBe(`${plain}swarm: { type: team, agents: [a, b] }\n`);
  });

  it("keeps what a file without `swarm:` implies when a field is set", () => {
    const text = edited(agents("a", "b"), { type: "set-swarm-field", scope: root, field: "max_handoffs", value: 3 });
    const { flow, max_handoffs } = rootOf(text);
    expect([flow && printFlow(flow), max_handoffs]).toEqual(["a >> b", 3]);
    expect(edited(agents("a"), { type: "set-swarm-field", scope: root, field: "max_handoffs" })).toBe(agents("a"));
  });

  it("only where there is a swarm", () => {
    const text = `${agents("a")}groups:\n  g: { flow: a }\nloops:\n  l: { body: g, count: 2 }\nswarm: { flow: l }\n`;
    for (const scope of [
      { type: "group", name: "g" },
      { type: "lane", name: "l", lane: "body" },
    ] satisfies Scope[]) {
      expect(edited(text, { type: "set-swarm-type", scope, swarm: "team" })).toMatch(/^unsupported/);
      expect(edited(text, { type: "set-swarm-field", scope, field: "max_agents", value: 2 })).toMatch(/^unsupported/);
    }
  });
});

describe("a team", () => {
  const text = `${agents("lead", "a", "b")}swarms:\n  desk:\n    type: team\n    agents: [lead, a]\nswarm: { flow: desk >> b }\n`;
  const desk: Scope = { type: "swarm", name: "desk" };

  it("takes a worker, and refuses what means nothing there", () => {
    const more = edited(text, { type: "connect", scope: desk, from: "lead", to: "b" });
    expect(diff(text, more)).toEqual({ gone: ["    agents: [lead, a]"], fresh: ["    agents: [lead, a, b]"] });
    expect(edited(text, { type: "connect", scope: desk, from: "lead", to: "a" })).toMatch(/^duplicate-name/);
    expect(edited(text, { type: "connect", scope: desk, from: "b", to: "b" })).toMatch(/^cycle/);
    expect(edited(text, { type: "disconnect", scope: desk, from: "lead", to: "a" })).toMatch(/^unsupported/);
    expect(edited(text, { type: "connect", scope: desk, from: "lead", to: "desk" })).toMatch(/^cycle/);
  });

  it("that is written as a text becomes a list", () => {
    const written = text.replace("agents: [lead, a]", 'flow: "lead >> a" # who');
    const more = edited(written, { type: "add-agent", name: "c", scope: desk });
    expect(more).toContain("    agents: [lead, a, c] # who\n");
    expect(more).not.toContain("lead >> a");
  });

  it("shares its list or its whole text with another: the other stays", () => {
    const list = `${agents("lead", "a", "b")}swarms:\n  one: { type: team, agents: &m [lead, a] }\n  two: { type: team, agents: *m }\nswarm: { flow: one >> two }\n`;
    const two = edited(list, { type: "connect", scope: { type: "swarm", name: "two" }, from: "lead", to: "b" });
    expect([...readSource(two).flow.swarms.values()].map((one) => one.agents)).toEqual([
      ["lead", "a"],
      ["lead", "a", "b"],
    ]);
    const whole = list
      .replace("&m [lead, a]", "[lead, a]")
      .replace("one: {", "one: &o {")
      .replace(/two: \{.*\}/, "two: *o");
    expect(edited(whole, { type: "connect", scope: { type: "swarm", name: "two" }, from: "lead", to: "b" })).toMatch(
      /^unsupported/,
    );
  });
});
