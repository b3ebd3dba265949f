import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainExpression } from "../../dsl/parse.arbitrary";
import { printFlow } from "../../dsl/print";
import { type Edit, emptyLayout, type Scope } from "../../flow/edit";
import { type Expression, namesOf } from "../../flow/expression";
import { applyChanges } from "../../flow/text-change";
import { applyEdit } from "../apply-edit";
import { graphOf, topologyOf } from "../read/topology";
import { readSource } from "../read-source";
import { edited } from "./edits.arbitrary";
import { findMemberSpan, type MemberSpan } from "./member-span";

const root: Scope = { type: "root" };
const file = (flow: string, more = ""): string =>
  `agents:\n${["a", "b", "c", "d", "e"].map((name) => `  ${name}: { model: "demo:x" }\n`).join("")}${more}swarm:\n  type: workflow\n  flow: ${flow}\n`;
const unwrap = (names: string[], scope: Scope = root): Edit => ({ type: "unwrap", scope, names });
const inline = (name: string, scope: Scope = root): Edit => ({ type: "inline", scope, name });
const noticeOf = (text: string, edit: Edit): string | undefined => {
  const result = applyEdit(readSource(text), emptyLayout, edit);
  return result.ok ? result.notice : undefined;
};

describe("unwrap", () => {
  it.each([
    ["a >> (b | c) >> d", ["b", "c"], "a >> b >> c >> d"],
    ["a >> (b | c) >> d", ["b"], "a >> b >> c >> d"],
    ["(a >> b | c) >> d", ["a", "b"], "(a | b | c) >> d"],
    ["(a | b)", ["a"], "a >> b"],
    ["a >> (b >> (c | d) | e)", ["c", "d"], "a >> (b >> c >> d | e)"],
    ["a >> (b >> c) >> d", ["b", "c"], "a >> b >> c >> d"],
  ])("takes the parentheses of %s round %s away", (flow, names, expected) => {
    expect(edited(file(flow), unwrap(names))).toBe(file(expected));
  });

  it("reports when the members run in another order then, and nothing for redundant parentheses", () => {
    expect(noticeOf(file("a >> (b | c) >> d"), unwrap(["b"]))).toBe(
      "b and c ran at once and run one after another now.",
    );
    expect(noticeOf(file("a >> (b >> c) >> d"), unwrap(["b", "c"]))).toBeUndefined();
  });

  it("refuses where there are no parentheses", () => {
    expect(edited(file("a >> b"), unwrap(["a"]))).toContain("There are no parentheses round a here.");
    expect(edited(file("a >> b"), unwrap(["d"]))).toContain('"d" is not in this part of the flow');
  });

  it("writes a named group out", () => {
    const groups = 'groups:\n  g: { type: parallel, flow: "b | c" }\n';
    expect(edited(file("a >> g >> d", groups), unwrap(["g"]))).toBe(file("a >> (b | c) >> d"));
  });
});

describe("inline", () => {
  it("keeps the declaration while something else uses it", () => {
    const more = 'groups:\n  g: { type: parallel, flow: "b | c" }\nswarms:\n  s: { flow: g >> d }\n';
    const text = edited(file("a >> g >> s", more), inline("g"));
    expect(text).toBe(file("a >> (b | c) >> s", more));
    expect(edited(text, inline("g", { type: "swarm", name: "s" }))).toContain("flow: (b | c) >> d");
  });

  it("takes the links of a draft along", () => {
    const more = 'groups:\n  g: { type: parallel, flow: "b | c" }\n';
    const draft = file("a", more).replace("flow: a\n", "edges: [[a, g], [a, d], [e, d]]\n");
    const read = readSource(edited(draft, inline("g"))).flow.swarm.edges ?? [];
    expect(new Set(read.map(String))).toEqual(new Set(["a,b", "a,c", "a,d", "e,d"]));
  });

  it.each([
    ["another separator", 'groups:\n  g: { flow: "b | c", separator: " / " }\n', "another separator"],
    ["going on after a failure", 'groups:\n  g: { flow: "b | c", on_error: continue }\n', "on_error"],
    ["a name that is there already", 'groups:\n  g: { flow: "a | c" }\n', '"a" is next to "g" already'],
    ["a swarm without order", "swarms:\n  g: { type: handoff, agents: [b, c] }\n", "no order"],
  ])("refuses %s", (_, more, message) => {
    expect(edited(file("a >> g", more), inline("g"))).toContain(message);
  });

  it("refuses to take a name away whose output is looked up", () => {
    const more = 'groups:\n  g: { flow: "b | c" }\nbranches:\n  if: { condition: outputs.g == "x", if_true: d }\n';
    expect(edited(file("a >> g >> if", more), inline("g"))).toContain("outputs.g");
  });

  it("reports that the members of a swarm see the conversation then", () => {
    const more = "swarms:\n  s: { flow: b >> c }\n";
    expect(noticeOf(file("a >> s", more), inline("s"))).toContain("see the conversation");
  });

  it("carries pins in and out", () => {
    const layout = { pins: { b: { dx: 1, dy: 2 } } };
    const text = file("a >> (b | c)");
    const into = applyEdit(readSource(text), layout, {
      type: "extract-group",
      scope: root,
      names: ["b", "c"],
      name: "g",
      group: "parallel",
    });
    if (!into.ok) throw new Error(into.problem.message);
    expect(into.layout.pins).toEqual({ "g/b": { dx: 1, dy: 2 } });
    const out = applyEdit(readSource(applyChanges(text, into.changes)), into.layout, inline("g"));
    expect(out.ok && out.layout).toEqual(layout);
  });
});

const linksOf = (text: string, scope: Scope): unknown => {
  const graph = graphOf(topologyOf(readSource(text).flow, scope));
  return [graph.nodes.toSorted(), graph.edges.map((link) => JSON.stringify(link)).toSorted()];
};

/** Neighbours somewhere in a random flow, in its root or in a nested swarm, that can be taken as one. */
const anyStretch = fc
  .tuple(
    plainExpression,
    fc.boolean(),
    fc.constantFrom("", '  separator: " / "\n'),
    fc.nat(50),
    fc.integer({ min: 1, max: 5 }),
  )
  .map(([tree, nested, separator, first, count]) => {
    const names = namesOf(tree).map(({ name }) => name);
    const flow = `flow: ${printFlow(tree)}`;
    const indented = separator.replace("  ", "    ");
    const swarm = nested
      ? `swarms:\n  s:\n    ${flow}\n${indented}swarm:\n  flow: s\n`
      : `swarm:\n  ${flow}\n${separator}`;
    const text = `agents:\n${names.map((name) => `  ${name}: {} # kept\n`).join("")}${swarm}`;
    const scope: Scope = nested ? { type: "swarm", name: "s" } : root;
    const from = first % names.length;
    const taken = names.slice(from, from + count);
    return { text, scope, names: taken, tree, found: findMemberSpan(tree, new Set(taken)) };
  })
  .filter((one): one is typeof one & { found: MemberSpan } => typeof one.found !== "string");

/** Whether the names have parentheses of their own. */
function isParenthesised(tree: Expression, names: readonly string[]): boolean {
  if (tree.type === "name") return false;
  return tree.members.some(
    (member) =>
      (member.type !== "name" &&
        namesOf(member)
          .map(({ name }) => name)
          .join() === names.join()) ||
      isParenthesised(member, names),
  );
}

describe("regrouping", () => {
  it("property: inline undoes extract-group and extract-swarm, to the byte", () => {
    fc.assert(
      fc.property(anyStretch, fc.boolean(), ({ text, scope, names, found }, asSwarm) => {
        const name = "brand new";
        const into: Edit = asSwarm
          ? { type: "extract-swarm", scope, names, name }
          : { type: "extract-group", scope, names, name, group: found.type };
        const between = edited(text, into);
        expect(linksOf(between, scope)).not.toEqual(linksOf(text, scope));
        expect(edited(between, { type: "inline", scope, name })).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  it("property: unwrap undoes wrap-parallel and wrap-serial, to the byte", () => {
    let done = 0;
    fc.assert(
      fc.property(anyStretch, ({ text, scope, names, found }) => {
        const wrapped = edited(text, {
          type: found.type === "serial" ? "wrap-parallel" : "wrap-serial",
          scope,
          names,
        });
        const topology = topologyOf(readSource(wrapped).flow, scope);
        // Members that are parallels themselves flow into a parallel, and nothing tells them apart afterwards.
        if (found.units.some((unit) => unit.type !== "name") || names.length < 2) return;
        if (!topology || !("expression" in topology) || !isParenthesised(topology.expression, names)) return;
        done++;
        expect(edited(wrapped, { type: "unwrap", scope, names })).toBe(text);
      }),
      { numRuns: 80 },
    );
    expect(done).toBeGreaterThan(5);
  });
});
