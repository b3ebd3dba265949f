import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Edit } from "../../flow/edit";
import { emptyLayout } from "../../flow/edit";
import { applyChanges } from "../../flow/text-change";
import { applyEdit } from "../apply-edit";
import { readSource } from "../read-source";
import { writeTopologyValue } from "../structure/topology-value";
import { edited } from "./edits.arbitrary";

const root = { type: "root" } as const;
const agents = `agents:\n${["a", "b", "c", "d", "e"].map((name) => `  ${name}: { model: "demo:x" }`).join("\n")}\n`;
const team = (list: string): string => `${agents}swarm:\n  type: team\n  agents: ${list}\n`;
const remove = (...names: string[]): Edit => ({ type: "delete-nodes", scope: root, names, declarations: false });
const connect = (target: string): Edit => ({ type: "connect", scope: root, from: "a", to: target });

describe("a list of members in brackets", () => {
  it.each<[string, string, string[], string]>([
    ["its first item", "[a, b, c]", ["a"], "[b, c]"],
    ["an item in the middle", "[a, b, c]", ["b"], "[a, c]"],
    ["its last item", "[a, b, c]", ["c"], "[a, b]"],
    ["two neighbours", "[a, b, c, d]", ["b", "c"], "[a, d]"],
    ["two that are apart", "[a, b, c, d]", ["b", "d"], "[a, c]"],
    ["the first and the last", "[a, b, c]", ["a", "c"], "[b]"],
    ["an item beside one that is there twice", "[a, b, a, c]", ["b"], "[a, c]"],
    ["spaces inside the brackets", "[ a, b, c ]", ["c"], "[ a, b ]"],
    ["no spaces", "[a,b,c]", ["b"], "[a,c]"],
    ["quotes", `["a", 'b', c]`, ["b"], `["a", c]`],
    ["a comma at the end", "[a, b, c,]", ["b"], "[a, c,]"],
    ["lines of their own", "[\n    a,\n    b,\n    c\n  ]", ["b"], "[\n    a,\n    c\n  ]"],
    ["a comment after the item before", "[\n    a, # lead\n    b,\n    c\n  ]", ["b"], "[\n    a, # lead\n    c\n  ]"],
    ["a comment before the last item", "[\n    a,\n    b, # two\n    c\n  ]", ["a"], "[\n    b, # two\n    c\n  ]"],
  ])("loses %s", (_, before, names, after) => {
    expect(edited(team(before), remove(...names))).toBe(team(after));
  });

  it("keeps a comment after the removed last item", () => {
    const after = edited(team("[\n    a,\n    b, # two\n    c # three\n  ]"), remove("c"));
    expect(after).toContain("# two");
    expect(after).toContain("# three");
    expect(readSource(after).flow.swarm.agents).toEqual(["a", "b"]);
  });

  it.each<[string, string, string]>([
    ["on one line", "[a, b]", "[a, b, c]"],
    ["with quotes", `["a", 'b']`, `["a", 'b', c]`],
    ["on lines of its own", "[\n    a,\n    b # two\n  ]", "[\n    a,\n    b, c # two\n  ]"],
  ])("gets a new item %s", (_, before, after) => {
    expect(edited(team(before), connect("c"))).toBe(team(after));
  });
});

describe("a list of members with dashes", () => {
  const lines = (...items: string[]): string => items.map((item) => `\n    - ${item}`).join("");

  it.each<[string, string, string[], string]>([
    ["its first item", lines("a", "b", "c"), ["a"], lines("b", "c")],
    ["its last item", lines("a", "b", "c"), ["c"], lines("a", "b")],
    ["two neighbours", lines("a", "b", "c", "d"), ["b", "c"], lines("a", "d")],
    ["two that are apart", lines("a", "b", "c", "d"), ["a", "c"], lines("b", "d")],
    ["an item with its comment", lines("a", "b # two", "c"), ["b"], lines("a", "c")],
    ["an item with the comment line above", `${lines("a")}\n    # about b${lines("b", "c")}`, ["b"], lines("a", "c")],
    ["not the comment of the item before", lines("a # one", "b", "c"), ["b"], lines("a # one", "c")],
  ])("loses %s", (_, before, names, after) => {
    expect(edited(team(before), remove(...names))).toBe(team(after));
  });

  it.each<[string, string, string]>([
    ["after the last one", lines("a", "b"), lines("a", "b", "c")],
    ["after its comment", lines("a", "b # two"), lines("a", "b # two", "c")],
    ["as far to the left as the key", "\n  - a\n  - b", "\n  - a\n  - b\n  - c"],
  ])("gets a new item %s", (_, before, after) => {
    expect(edited(team(before), connect("c"))).toBe(team(after));
  });

  it("keeps Windows line ends", () => {
    const text = team(lines("a", "b")).replaceAll("\n", "\r\n");
    expect(edited(text, connect("c"))).toBe(team(lines("a", "b", "c")).replaceAll("\n", "\r\n"));
  });
});

describe("the links of a handoff swarm", () => {
  const handoff = (edges: string): string =>
    `${agents}swarm:\n  type: handoff\n  agents: [a, b, c]\n  edges: ${edges}\n`;
  it.each<[string, string, string, string]>([
    ["in brackets", "[[a, b], [b, c]]", "[[b, c]]", "[[a, b], [b, c], [a, c]]"],
    ["with dashes", "\n    - [a, b]\n    - [b, c]", "\n    - [b, c]", "\n    - [a, b]\n    - [b, c]\n    - [a, c]"],
  ])("%s are known by their ends", (_, before, without, withNew) => {
    expect(edited(handoff(before), { type: "disconnect", scope: root, from: "a", to: "b" })).toBe(handoff(without));
    expect(edited(handoff(before), { type: "connect", scope: root, from: "a", to: "c" })).toBe(handoff(withNew));
  });
});

const anyLinks = fc.uniqueArray(fc.constantFrom("ab", "bc", "cd", "de", "ac", "bd"), { maxLength: 4 });

it("property: any list of links becomes any other, in each style", () => {
  const styles: ((links: readonly string[]) => string)[] = [
    (links) => ` [${links.map(([a, b]) => `[${a}, ${b}]`).join(", ")}]`,
    (links) => links.map(([a, b]) => `\n    - [${a}, ${b}] # ${a}`).join(""),
    (links) => links.map(([a, b]) => `\n    - - ${a}\n      - ${b}`).join(""),
    (links) => links.map(([a, b], index) => `\n    - ${index === 0 ? "&first " : ""}[${a}, ${b}]`).join(""),
  ];
  fc.assert(
    fc.property(anyLinks, anyLinks, fc.constantFrom(...styles), (before, after, write) => {
      const text = `${agents}swarm:\n  type: handoff\n  agents: [a, b, c, d, e]\n  edges:${write(before)}\n`;
      const document = readSource(text);
      const links = after.map(([a = "", b = ""]): [string, string] => [a, b]);
      const value = { type: "links", names: ["a", "b", "c", "d", "e"], links } as const;
      const changes = writeTopologyValue(document, root, value);
      const next = readSource(applyChanges(text, changes ?? []));
      expect([next.flow.swarm.edges ?? [], next.unreadableRanges]).toEqual([links, []]);
    }),
    { numRuns: 300 },
  );
});

describe("agents in a list", () => {
  const listed = "agents:\n  - name: a\n    model: demo:x\n  - name: b # two\n    tools: [calculator]\n";
  it("get a new item in the same form", () => {
    const after = edited(listed, { type: "declare-agent", name: "c", model: "demo:z", instructions: "One.\nTwo." });
    expect(after.startsWith(listed)).toBe(true);
    expect(readSource(after).flow.agents.get("c")).toMatchObject({ model: "demo:z", instructions: "One.\nTwo." });
    expect(after).toContain("\n  - name: c\n    model: demo:z\n    instructions: |-\n      One.\n      Two.\n");
  });

  it("lose the lines of one of them and no other", () => {
    expect(edited(listed, { ...remove("a"), declarations: true } as Edit)).toContain(
      "agents:\n  - name: b # two\n    tools: [calculator]\n",
    );
  });

  it("change a field in place, and take out the last one beside the name", () => {
    const set = { type: "set-agent-field", name: "b", field: "tools" } as const;
    expect(edited(listed, { ...set, value: ["read_page"] })).toContain("- name: b # two\n    tools: [read_page]\n");
    expect(edited(listed, set)).toBe(listed.replace("    tools: [calculator]\n", ""));
  });
});

describe("an empty selection", () => {
  it.each(["a >> b", "(a | b)", "a >> (b | c)"])("is no part of %s that can be wrapped", (flow) => {
    const text = `${agents}swarm: { flow: "${flow}" }\n`;
    for (const type of ["wrap-parallel", "wrap-serial"] as const) {
      const result = applyEdit(readSource(text), emptyLayout, { type, scope: root, names: [] });
      expect(result.ok ? result.changes : result.problem.code).toBe("not-series-parallel");
    }
  });
});
