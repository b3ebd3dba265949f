import { describe, expect, it } from "vitest";
import { keepLayout } from "../../dsl/keep-layout";
import type { Edit } from "../../flow/edit";
import { readSource } from "../read-source";
import { edited } from "./edits.arbitrary";

const root = { type: "root" } as const;
const agents = "agents: { a: {}, b: {}, c: {}, d: {}, e: {} }\n";
const withFlow = (...lines: string[]) => `${agents}swarm:\n  flow: |\n${lines.map((line) => `    ${line}\n`).join("")}`;
const text = withFlow("# the order", "a >> # first", "(b | c) >> # both", "d");
const drop = (...names: string[]): Edit => ({ type: "delete-nodes", scope: root, names, declarations: false });

describe("the comments inside a flow text", () => {
  it.each<[string, Edit, string]>([
    ["a member goes", drop("b"), withFlow("# the order", "a >> # first", "c >> # both", "d")],
    ["the last member goes", drop("d"), withFlow("# the order", "a >> # first", "(b | c) # both")],
    [
      "a member comes",
      { type: "add-agent", name: "n", scope: root, after: "a" },
      withFlow("# the order", "a >> n >> # first", "(b | c) >> # both", "d"),
    ],
    [
      "members move into a group",
      { type: "extract-group", scope: root, names: ["b", "c"], name: "g", group: "parallel" },
      withFlow("# the order", "a >> # first", "g >> # both", "d"),
    ],
    [
      "a link comes",
      { type: "connect", scope: root, from: "d", to: "e" },
      withFlow("# the order", "a >> # first", "(b | c) >> # both", "d >> e"),
    ],
  ])("stay when %s", (_, edit, expected) => {
    const flowOf = (file: string) => file.slice(file.indexOf("swarm:")).trimEnd();
    const after = edited(text, edit);
    expect(flowOf(after)).toBe(flowOf(expected));
  });

  it("keep their spaces when parentheses go, and a block text its style when nothing of its layout can stay", () => {
    const lanes = withFlow("a        # first", ">> (b    # left", "   | c)  # right");
    const unwrapped = edited(lanes, { type: "unwrap", scope: root, names: ["b", "c"] });
    expect(unwrapped).toBe(withFlow("a        # first", ">> b    # left", "   >> c  # right"));
    const swapped = edited(withFlow("# x", "a >> b"), { type: "wrap-parallel", scope: root, names: ["a", "b"] });
    expect(swapped).toBe(withFlow("# x", "(a | b)"));
  });

  it("stay above the links when the drawing has no text any more, and beside them when it has one again", () => {
    const crossing = withFlow("# the order", "(a | b) >> # first", "(c | d) # both");
    const draft = edited(crossing, { type: "disconnect", scope: root, from: "b", to: "c" });
    for (const comment of ["# the order", "# first", "# both"]) expect(draft).toContain(comment);
    expect(readSource(draft).flow.swarm.edges).toBeDefined();
    const mended = edited(draft, { type: "connect", scope: root, from: "b", to: "c" });
    for (const comment of ["# the order", "# first", "# both"]) expect(mended).toContain(comment);
    expect(readSource(mended).flow.swarm.flow).toBeDefined();
  });

  it("stay in a lane, and when a workflow becomes a handoff", () => {
    const branch = `${agents}branches:\n  x:\n    condition: "true"\n    if_true: |\n      a >> # why\n      b\n`;
    const scope = { type: "lane", name: "x", lane: "if_true" } as const;
    expect(edited(branch, { type: "add-agent", name: "n", scope, after: "b" })).toContain("a >> # why\n      b >> n\n");
    const handoff = edited(text, { type: "set-swarm-type", scope: root, swarm: "handoff" });
    expect(handoff).toContain("# the order\n  # first\n  # both\n  agents: [a, b, c, d]\n");
  });
});

it("the quotes of a member stay when another one is renamed or goes, and when it moves", () => {
  const file = `agents: { critic: {}, "my writer": {}, end: {} }\nswarm:\n  flow: '(critic | "my writer") >> end'\n`;
  const flowAfter = (edit: Edit): string => edited(file, edit).split("  flow: ")[1]?.trim() ?? "";
  expect(flowAfter(drop("critic"))).toBe(`'"my writer" >> end'`);
  expect(flowAfter({ type: "add-agent", name: "n", scope: root, after: "critic" })).toBe(
    `'(critic >> n | "my writer") >> end'`,
  );
  expect(flowAfter({ type: "unwrap", scope: root, names: ["critic"] })).toBe(`'critic >> "my writer" >> end'`);
  expect(flowAfter({ type: "rename", from: "critic", to: "judge" })).toBe(`'(judge | "my writer") >> end'`);
});

describe("the comments of links and members", () => {
  const draft = `${agents}swarm:\n  edges:\n    - [a, c] # one\n    # two\n    - [a, d]\n    - [b, d] # three\n  agents:\n    - e # waits\n`;
  it("stay when a link comes or goes", () => {
    const more = edited(draft, { type: "connect", scope: root, from: "e", to: "b" });
    for (const comment of ["# one", "# two", "# three", "# waits"]) expect(more).toContain(comment);
    const less = edited(draft, { type: "disconnect", scope: root, from: "a", to: "d" });
    for (const comment of ["# one", "# three", "# waits"]) expect(less).toContain(comment);
  });

  it("stay when the drawing becomes a text", () => {
    const after = edited(draft, { type: "connect", scope: root, from: "b", to: "c" });
    expect(after).toMatch(/ {2}# one\n {2}# two\n {2}# waits\n {2}flow: .* # three\n$/);
  });

  it("stay in a list of members of which one goes and another comes", () => {
    const team = `${agents}swarm:\n  type: team\n  agents:\n    - a # leads\n    # knows\n    - b\n    - c # last\n`;
    const after = edited(team, { type: "delete-nodes", scope: root, names: ["b"], declarations: false });
    expect(after).toContain("    - a # leads\n    - c # last\n");
  });

  it("stay in brackets of which every link goes", () => {
    const swarm = `${agents}swarms:\n  s: { type: handoff, agents: [a, b], edges: [\n    [a, b]\n    # to come\n    ] }\nswarm: { flow: s }\n`;
    const scope = { type: "swarm", name: "s" } as const;
    const edit: Edit = { type: "delete-nodes", scope, names: ["b"], declarations: false };
    expect(edited(swarm, edit)).toMatch(/agents: \[a\], edges: \[\s+# to come\n {4}\] \}/);
  });
});

describe("keepLayout", () => {
  it.each([
    ["a >>\nb", "a >> n >> b", "a >> n >>\nb"],
    ["(a | # x\n b)", "(b | a)", null],
    ["a # x\n>> b", "b", "# x\nb"],
    ["a >> b", "b >> a", "b >> a"],
    ["# x\na >> b", "(a | b)", null],
    // A parenthesis that goes leaves the space beside it, and one that comes is next to its member.
    ["a # x\n>> (b # y\n| c)", "a >> b >> c", "a # x\n>> b # y\n>> c"],
    ["a # x\n>> b >> c", "a >> (b | c)", "a # x\n>> (b | c)"],
    ["(a >> b | c) # x", "(b | c)", "(b | c) # x"],
    // The line of a member goes with it, and the others stay.
    ["a\n>> b\n>> c", "a >> c", "a\n>> c"],
    ["a >>\nb >>\nc", "a >> c", "a >>\nc"],
    // Quotes and spaces of other members.
    ['critic | "my writer"', "(critic_2 | my writer)", '(critic_2 | "my writer")'],
    ['"a" >>  b>>"c d"', "(a | c d) >> b", '("a" | "c d") >>  b'],
    ["a>>b  >> c", "a >> b >> n >> c", "a>>b  >> n >> c"],
  ])("%j as %j", (before, after, expected) => {
    const kept = keepLayout(before, after, "flow");
    if (expected !== null) expect(kept.trim()).toBe(expected);
    expect(kept.includes("# x")).toBe(before.includes("# x"));
  });
});

describe("a comment that follows and is indented further", () => {
  const text =
    "agents:\n  a:\n    tools:\n      - calculator\n      # more\n  b: {}\n      # deep\nswarm:\n  flow: a >> b\n";
  const set = (name: string): Edit => ({ type: "set-agent-field", name, field: "instructions", value: "one\ntwo\n" });
  it("is no part of a text that is written before it", () => {
    for (const name of ["a", "b"]) {
      const after = edited(text, set(name));
      expect(readSource(after).flow.agents.get(name)?.instructions).toBe("one\ntwo\n");
      expect(after).toContain("      # more\n");
      expect(after).toContain("      # deep\n");
    }
    const added = edited(text, { type: "add-agent", name: "n", instructions: "one\ntwo\n", scope: root });
    expect(readSource(added).flow.agents.get("n")?.instructions).toBe("one\ntwo\n");
  });
});
