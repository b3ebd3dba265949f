import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Edit, emptyLayout, type InsertionPoint, type Scope } from "../../flow/edit";
import { namesOf } from "../../flow/expression";
import type { Flow } from "../../flow/flow";
import { hasErrors } from "../../flow/problem";
import { applyChanges } from "../../flow/text-change";
import { declaredNames } from "../../kinds/members";
import { applyEdit } from "../apply-edit";
import { diff, edited } from "../edit/edits.arbitrary";
import { renameChanges } from "../edit/rename-declaration";
import { anyCare, anyFlow, plain, takeCare } from "../read/source.arbitrary";
import { readSource } from "../read-source";
import { writeSource } from "../write-source";
import { copyFragment, fragmentMark, type PickedMembers } from "./copy-fragment";

const root: Scope = { type: "root" };
const text = `name: Desk
vars: { tone: friendly, other: 1 }
agents:
  # Finds facts.
  researcher:
    model: demo:researcher   # cheap
    instructions: |
      Find facts.
        Tone: \${vars.tone}
  analyst: { model: "demo:x", instructions: "Read \${outputs.researcher}" }
  critic:
    model: demo:x
  writer:
    model: demo:x
groups:
  review: { type: parallel, flow: "analyst | critic" }
branches:
  is_it:
    condition: contains(outputs.researcher, "x")
    if_true: writer
swarm:
  type: workflow
  flow: researcher >> review >> is_it
`;

const insert = (fragment: string, place: InsertionPoint, scope: Scope = root): Edit => ({
  type: "insert-fragment",
  text: fragment,
  scope,
  place,
});
const copy = (source: string, ...picks: PickedMembers[]): string => copyFragment(readSource(source), picks);
const flowLine = (source: string): string => /^ {2}flow: (.*)$/m.exec(source)?.[1] ?? source;
const placeAfter = (...names: string[]): InsertionPoint => ({ type: "after", names });

describe("a part of a flow as a text", () => {
  it("is a flow file: as it was written, with what it holds and the variables that it uses", () => {
    expect(copy(text, { scope: root, names: ["researcher", "review"] })).toBe(`${fragmentMark}
vars:
  tone: friendly
agents:
  # Finds facts.
  researcher:
    model: demo:researcher   # cheap
    instructions: |
      Find facts.
        Tone: \${vars.tone}
  analyst: { model: "demo:x", instructions: "Read \${outputs.researcher}" }
  critic:
    model: demo:x
groups:
  review: { type: parallel, flow: "analyst | critic" }
swarm:
  flow: researcher >> review
`);
  });

  it("closes the gap that those leave who are not copied", () => {
    const wide = `agents: { a: {}, b: {}, c: {}, d: {} }\nswarm: { flow: a >> (b | c) >> d }\n`;
    expect(flowLine(copy(wide, { scope: root, names: ["a", "d"] }))).toBe("a >> d");
    expect(flowLine(copy(wide, { scope: root, names: ["c", "b"] }))).toBe("(b | c)");
  });

  it("resolves aliases of values elsewhere", () => {
    const shared = "agents:\n  a: &base\n    model: demo:x\n  b: *base\nswarm: { flow: a >> b }\n";
    const { flow, broken } = readSource(copy(shared, { scope: root, names: ["b"] }));
    expect(broken).toBe(false);
    expect(flow.agents.get("b")?.model).toBe("demo:x");
  });

  it("keeps handoffs", () => {
    const desk = `agents: { a: {}, b: {}, c: {} }\nswarm: { type: handoff, agents: [a, b, c], edges: [[a, b], [b, c]] }\n`;
    expect(copy(desk, { scope: root, names: ["a", "b"] })).toContain("edges: [[a, b]]");
  });
});

describe("inserting a part", () => {
  const part = `agents:\n  researcher: { model: "demo:y" }\n  fresh: { model: "demo:y", instructions: "\${outputs.researcher}" }\nswarm: { flow: researcher >> fresh }\n`;

  it("gives free names everywhere, and adds lines only, apart from the flow", () => {
    const result = edited(text, insert(part, placeAfter("researcher")));
    const { gone, fresh } = diff(text, result);
    expect(gone).toEqual(["  flow: researcher >> review >> is_it"]);
    expect(fresh).toEqual([
      "  researcher_2:",
      "    model: demo:y",
      "  fresh:",
      "    model: demo:y",
      `    instructions: \${outputs.researcher_2}`,
      "  flow: researcher >> researcher_2 >> fresh >> review >> is_it",
    ]);
  });

  it.each<[InsertionPoint, string]>([
    [placeAfter("a"), "a >> new >> (b | c) >> d"],
    [placeAfter("b", "c"), "a >> (b | c) >> new >> d"],
    [placeAfter("a", "d"), "a >> (b | c) >> d >> new"],
    [{ type: "beside", names: ["b"] }, "a >> (b | new | c) >> d"],
    [{ type: "beside", names: ["a", "b", "c"] }, "(a >> (b | c) | new) >> d"],
    [{ type: "between", from: "a", to: "c" }, "a >> (b | new >> c) >> d"],
    [{ type: "between", from: "c", to: "d" }, "a >> (b | c >> new) >> d"],
    [{ type: "end" }, "a >> (b | c) >> d >> new"],
    [{ type: "waiting" }, "a >> (b | c) >> d"],
  ])("puts it at %j", (place, expected) => {
    const wide = "agents: { a: {}, b: {}, c: {}, d: {} }\nswarm:\n  flow: a >> (b | c) >> d\n";
    expect(flowLine(edited(wide, insert("agents: { new: {} }\nswarm: { flow: new }\n", place)))).toBe(expected);
  });

  it("stays a text where one link alone cannot be named", () => {
    const cross = "agents: { a: {}, b: {}, c: {}, d: {} }\nswarm:\n  flow: (a | b) >> (c | d)\n";
    const result = applyEdit(
      readSource(cross),
      emptyLayout,
      insert("agents: { new: {} }\nswarm: { flow: new }\n", { type: "between", from: "a", to: "c" }),
    );
    expect(result.ok && result.notice).toContain('Several steps lead to "c"');
    expect(result.ok && flowLine(applyChanges(cross, result.changes))).toBe("(a | b) >> (new >> c | d)");
  });

  it("uses again what the flow has, once in each place", () => {
    const again = "swarm: { flow: critic }\n";
    expect(flowLine(edited(text, insert(again, placeAfter("review"))))).toBe("researcher >> review >> critic >> is_it");
    expect(edited(text, insert(again, placeAfter("analyst"), { type: "group", name: "review" }))).toContain(
      'duplicate-name: "critic" is in this part',
    );
    expect(edited(text, insert("swarm: { flow: ghost }\n", { type: "end" }))).toContain('There is no "ghost"');
    expect(
      edited(text, insert("swarm: { flow: review }\n", { type: "end" }, { type: "group", name: "review" })),
    ).toContain("cannot be in");
  });

  it("comes in as a nested swarm when its members have no order", () => {
    const team = "name: Support desk\nagents: { lead: {}, help: {} }\nswarm: { type: team, agents: [lead, help] }\n";
    const result = edited(text, insert(team, { type: "end" }));
    expect(flowLine(result)).toBe("researcher >> review >> is_it >> support_desk");
    expect(readSource(result).flow.swarms.get("support_desk")).toMatchObject({
      mode: "team",
      agents: ["lead", "help"],
    });
  });

  it("joins a handoff swarm with its links", () => {
    const desk = "agents: { a: {}, b: {} }\nswarm:\n  type: handoff\n  agents: [a, b]\n  edges: [[a, b]]\n";
    const pair = copy(desk, { scope: root, names: ["a", "b"] });
    expect(readSource(edited(desk, insert(pair, placeAfter("b")))).flow.swarm).toMatchObject({
      agents: ["a", "b", "a_2", "b_2"],
      edges: [
        ["a", "b"],
        ["b", "a_2"],
        ["a_2", "b_2"],
      ],
    });
  });

  it("begins an empty flow, and refuses what is no part of one", () => {
    expect(
      readSource(edited("", insert(part, { type: "end" }))).problems.filter(({ severity }) => severity === "error"),
    ).toEqual([]);
    expect(edited(text, insert("# nothing\n", { type: "end" }))).toContain("empty-flow: Expected a part of a flow");
    expect(edited(text, insert("agents: [", { type: "end" }))).toContain("invalid-value: Expected a part of a flow");
  });

  it("keeps the order of a file without `swarm:`", () => {
    const bare = "agents:\n  a: { model: demo:x }\n  b: { model: demo:x }\n";
    const result = readSource(edited(bare, insert("agents: { new: {} }\n", { type: "waiting" })));
    expect(result.flow.swarm.flow && namesOf(result.flow.swarm.flow).map(({ name }) => name)).toEqual(["a", "b"]);
  });

  it("keeps the variables that the flow has", () => {
    const other = "vars: { tone: rude, more: 2 }\nagents: { new: {} }\nswarm: { flow: new }\n";
    const { vars } = readSource(edited(text, insert(other, { type: "end" }))).flow;
    expect([...vars]).toEqual([
      ["tone", "friendly"],
      ["other", 1],
      ["more", 2],
    ]);
  });
});

/** Which new name each copied declaration got: both have the same order, section by section. */
function toCopies(before: Flow, now: Flow, fragment: Flow): Map<string, string> {
  const old = new Set(declaredNames(before));
  const kinds = (flow: Flow) => [flow.agents, flow.groups, flow.swarms, ...controlsByType(flow)];
  const fresh = kinds(now).map((names) => [...names.keys()].filter((name) => !old.has(name)));
  const pairs = kinds(fragment).flatMap((names, kind) =>
    [...names.keys()].map((name, index): [string, string] => [name, fresh[kind]?.[index] ?? ""]),
  );
  return new Map(pairs);
}

const controlsByType = ({ controls }: Flow) =>
  ["branch", "router", "loop", "approval"].map((type) => new Map([...controls].filter(([, one]) => one.type === type)));

describe("copy and insert", () => {
  it("property: what is inserted equals what was copied, and nothing else changes", () => {
    const anyPicks = fc.array(fc.nat(40), { minLength: 1, maxLength: 6 });
    const kinds = fc.constantFrom("after", "beside", "end");
    fc.assert(
      fc.property(anyFlow, anyCare, anyPicks, kinds, (start, care, numbers, type) => {
        const source = takeCare(writeSource(start), care);
        const before = readSource(source);
        const members = before.flow.swarm.flow ? namesOf(before.flow.swarm.flow).map(({ name }) => name) : [];
        const names = [...new Set(numbers.map((number) => members[number % members.length] ?? ""))];
        const fragment = copyFragment(before, [{ scope: root, names }]);
        const copied = readSource(fragment);
        expect(copied.broken).toBe(false);
        const place: InsertionPoint = type === "end" ? { type } : { type, names };
        const result = edited(source, insert(fragment, place));
        const now = readSource(result);
        expect(hasErrors(now.problems)).toBe(hasErrors(before.problems));

        const copies = toCopies(before.flow, now.flow, copied.flow);
        const picks = [{ scope: root, names: names.map((name) => copies.get(name) ?? "") }];
        const again = readSource(copyFragment(now, picks));
        const back = new Map([...copies].map(([name, copyName]) => [copyName, name]));
        const renamed = readSource(applyChanges(again.text, renameChanges(again, back)));
        expect(plain({ ...renamed.flow, name: "" })).toEqual(plain({ ...copied.flow, name: "" }));

        const old = new Set(declaredNames(before.flow));
        const kept = <T>(all: ReadonlyMap<string, T>) => new Map([...all].filter(([name]) => old.has(name)));
        const { agents, groups, swarms, controls } = now.flow;
        const others = { agents: kept(agents), groups: kept(groups), swarms: kept(swarms), controls: kept(controls) };
        const swarm = before.flow.swarm;
        expect(plain({ ...now.flow, ...others, swarm })).toEqual(plain(before.flow));
        expect(diff(source, result).gone.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 20 },
    );
  });
});
