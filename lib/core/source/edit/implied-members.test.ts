import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Edit } from "../../flow/edit";
import { runBlockersOf } from "../../flow/problem";
import { membersOf } from "../../kinds/registry";
import { plain } from "../read/source.arbitrary";
import { readSource } from "../read-source";
import { writeSource } from "../write-source";
import { edited, problemsOf } from "./edits.arbitrary";

const root = { type: "root" } as const;
const agents =
  'agents:\n  a: { model: "demo:x" }\n  b: { model: "demo:x" }\n  c: { model: "demo:x" }\ngroups:\n  g: { flow: "a | b" }\n';
const workflow = `${agents}swarm:\n  type: workflow # in order\n`;
const team = `${agents}swarm:\n  type: team\n`;
const handoff = `${agents}swarm:\n  type: handoff\n  edges: [[a, b], [b, c]]\n`;
const rootOf = (text: string): string =>
  writeSource(readSource(text).flow)
    .split("swarm:\n")[1]
    ?.replaceAll(/ {2}(?=\S)/g, "")
    .trim()
    .replaceAll("\n", "; ") ?? "";

describe("a root swarm that lists no members", () => {
  it.each([
    ["a workflow", workflow, "type: workflow; flow: a >> b >> c"],
    ["no value of `swarm:`", `${agents}swarm:\n`, "type: workflow; flow: a >> b >> c"],
    ["no type", `${agents}swarm: { separator: x }\n`, "type: workflow; flow: a >> b >> c; separator: x"],
    ["a team", team, "type: team; agents: [a, b, c]"],
    ["orchestrate", `${agents}swarm: { type: orchestrate }\n`, "type: orchestrate; agents: [a, b, c]"],
    ["a handoff with edges only", handoff, "type: handoff; edges: [[a, b], [b, c]]; agents: [a, b, c]"],
    ["an empty order", `${agents}swarm: { type: team, order: [] }\n`, "type: team; agents: [a, b, c]"],
    ["an order", `${agents}swarm: { order: [c, a] }\n`, "type: workflow; flow: c >> a"],
    ["an order beside a flow", `${agents}swarm: { flow: b >> a, order: [a, b, c] }\n`, "type: workflow; flow: b >> a"],
    [
      "an order beside the flow of a handoff: the flow defines who starts",
      `${agents}swarm: { type: handoff, flow: b >> a, order: [a, b, c], edges: [[b, c]] }\n`,
      "type: handoff; flow: b >> a; edges: [[b, c]]; agents: [b, a, c]",
    ],
  ])("%s", (_, text, expected) => {
    expect(rootOf(text)).toBe(expected);
    expect(readSource(text).problems.filter(({ severity }) => severity === "error")).toEqual([]);
    const again = readSource(writeSource(readSource(text).flow));
    expect(plain(again.flow)).toEqual(plain(readSource(text).flow));
  });

  it("a name in the order that is not declared is a problem where it is written", () => {
    const text = `${agents}swarm: { flow: a >> b, order: [a, bb] }\n`;
    const [problem] = readSource(text).problems.filter(({ code }) => code === "unknown-name");
    expect(problem?.message).toContain('Did you mean "b"?');
    expect(text.slice(problem?.range?.from, problem?.range?.to)).toBe("bb");
  });

  it("a named team without members has one problem, not two", () => {
    const text = `${agents}swarms:\n  s: { type: team }\nswarm: { flow: s >> a }\n`;
    expect(problemsOf(text).filter((code) => code === "no-members" || code === "empty-flow")).toEqual(["no-members"]);
  });
});

const add = (name: string, after?: string): Edit => ({
  type: "add-agent",
  name,
  scope: root,
  ...(after !== undefined && { after }),
});
const remove = (names: string[], declarations: boolean): Edit => ({
  type: "delete-nodes",
  scope: root,
  names,
  declarations,
});

describe("an edit of a root swarm that lists no members", () => {
  it.each([
    ["a new agent waits", workflow, [add("n")], "type: workflow; flow: a >> b >> c"],
    ["a new agent joins", workflow, [add("n", "a")], "type: workflow; flow: a >> n >> b >> c"],
    ["a new worker joins", team, [add("n")], "type: team; agents: [a, b, c, n]"],
    [
      "a new member is linked",
      handoff,
      [add("n", "a")],
      "type: handoff; edges: [[a, b], [b, c], [a, n]]; agents: [a, b, c, n]",
    ],
    [
      "an agent of a group is none of the flow",
      workflow,
      [{ type: "add-agent", name: "n", scope: { type: "group", name: "g" }, after: "a" }],
      "type: workflow; flow: a >> b >> c",
    ],
    ["one leaves and waits", workflow, [remove(["b"], false)], "type: workflow; flow: a >> c"],
    ["one is deleted", workflow, [remove(["c"], true)], "type: workflow; flow: a >> b"],
    ["one that a group holds too leaves the flow", workflow, [remove(["b"], true)], "type: workflow; flow: a >> c"],
    ["all leave and wait", workflow, [remove(["a", "b", "c"], false)], "type: workflow"],
    ["a worker leaves and waits", team, [remove(["b"], false)], "type: team; agents: [a, c]"],
    ["a worker is deleted", team, [remove(["c"], true)], "type: team; agents: [a, b]"],
    [
      "a member is deleted with its links",
      handoff,
      [remove(["c"], true)],
      "type: handoff; edges: [[a, b]]; agents: [a, b]",
    ],
    [
      "two are connected anew",
      workflow,
      [
        { type: "disconnect", scope: root, from: "b", to: "c" },
        { type: "connect", scope: root, from: "a", to: "c" },
      ],
      "type: workflow; flow: a >> (b | c)",
    ],
    ["one is renamed", workflow, [{ type: "rename", from: "b", to: "n" }], "type: workflow; flow: a >> n >> c"],
    [
      "its type changes",
      workflow,
      [{ type: "set-swarm-type", scope: root, swarm: "team" }],
      "type: team; agents: [a, b, c]",
    ],
    [
      "a part is inserted and waits",
      workflow,
      [{ type: "insert-fragment", text: "agents:\n  n: {}\n", scope: root, place: { type: "waiting" } }],
      "type: workflow; flow: a >> b >> c",
    ],
  ] satisfies [string, string, Edit[], string][])("%s", (_, text, edits, expected) => {
    for (const source of [text, text.replaceAll("\n", "\r\n")]) {
      const after = edited(source, ...edits);
      expect(rootOf(after.replaceAll("\r\n", "\n"))).toBe(expected);
    }
  });

  it("a fragment that is such a team becomes a swarm that lists its members", () => {
    const text = "agents:\n  n: {}\n  m: {}\nswarm: { type: team }\n";
    const after = edited(workflow, { type: "insert-fragment", text, scope: root, place: { type: "end" } });
    const { flow } = readSource(after);
    expect(rootOf(after)).toBe("type: workflow; flow: a >> b >> c >> n_2");
    expect(flow.swarms.get("n_2")).toMatchObject({ mode: "team", agents: ["n", "m"] });
  });

  it("property: keeps all members that it does not name", () => {
    const gesture = fc.record({ kind: fc.nat(6), one: fc.nat(5), two: fc.nat(5) });
    const types = fc.constantFrom("workflow", "team", "handoff", "orchestrate");
    const leaveAndAdd = [
      { kind: 3, one: 5, two: 0 },
      { kind: 2, one: 0, two: 0 },
      { kind: 2, one: 4, two: 0 },
      { kind: 0, one: 0, two: 0 },
    ];
    fc.assert(
      fc.property(types, fc.boolean(), fc.array(gesture, { maxLength: 5 }), (type, hasSection, gestures) => {
        let text = hasSection ? `${agents}swarm: { type: ${type} }\n` : agents;
        for (const [index, { kind, one, two }] of gestures.entries()) {
          const names = [...readSource(text).flow.agents.keys()];
          const [from = "a", to = "b"] = [names[one % names.length], names[two % names.length]];
          const edits: Edit[] = [
            add(`n${index}`),
            add(`n${index}`, from),
            remove([from], true),
            remove([from], false),
            { type: "rename", from, to: `r${index}` },
            { type: "connect", scope: root, from, to },
            { type: "declare-agent", name: `n${index}` },
          ];
          const after = edited(text, edits[kind] ?? add("n"));
          if (/^[a-z-]+: /.test(after) && !after.startsWith("agents")) continue;
          const named = new Set([from, to, `n${index}`, `r${index}`]);
          const others = (source: string): string[] =>
            membersOf(readSource(source).flow.swarm).filter((name) => !named.has(name));
          expect(others(after).toSorted()).toEqual(others(text).toSorted());
          // The first member of an empty flow joins it.
          if (kind === 0 && type === "workflow" && membersOf(readSource(text).flow.swarm).length > 0)
            expect(membersOf(readSource(after).flow.swarm)).not.toContain(`n${index}`);
          text = after;
        }
      }),
      { numRuns: 100, examples: [["workflow", false, leaveAndAdd]] },
    );
  });

  it("agents that left the flow all together wait, and do not become its members again", () => {
    const after = edited(workflow, remove(["a", "b", "c"], false));
    expect(after).toBe(`${workflow}  flow: ""\n`);
    expect(problemsOf(after)).toContain("empty-flow");
    expect(readSource(after).flow.swarm.flow).toBeUndefined();
  });

  it("changes no line of the file where the members stay those that it implies", () => {
    const after = edited(team, remove(["c"], true));
    expect(after).toBe(team.replace('  c: { model: "demo:x" }\n', ""));
  });

  it("an order beside a flow follows renames and deletions, and goes when the flow names others", () => {
    const text = `${agents}swarm:\n  flow: a >> b\n  order:\n    - a\n    - b\n    - c # spare\n`;
    expect(edited(text, { type: "rename", from: "c", to: "n" })).toContain("    - n # spare\n");
    const less = edited(text, remove(["c"], true));
    expect(less).toContain("  order:\n    - a\n    - b\n");
    expect(readSource(less).flow.agents.has("c")).toBe(false);
    const same = edited(text, { type: "set-flow-text", scope: root, text: "b >> a" });
    expect(same).toContain("order:");
    const other = edited(text, add("n"), { type: "set-flow-text", scope: root, text: "b >> n" });
    expect(other).not.toContain("order:");
  });
});

describe("a new flow", () => {
  const empty = "name: Untitled flow\nagents:\nswarm:\n  type: workflow\n";

  it.each([
    ["as it is created", empty],
    ["no text", ""],
    ["a name", "name: x\n"],
    ["an empty flow text", "agents: {}\nswarm: { flow: '' }\n"],
    ["a team", "agents: {}\nswarm: { type: team }\n"],
    ["a drawing without links", "agents: {}\nswarm: { edges: [] }\n"],
  ])("has a state of its own and no error: %s", (_, text) => {
    const { problems } = readSource(text);
    expect(problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual(["info no-agents"]);
    expect(runBlockersOf(problems)).toHaveLength(1);
  });

  it("is the same again after its first agent came and went", () => {
    const one = edited(empty, add("a"));
    expect(one).toContain("  flow: a\n");
    expect(edited(one, remove(["a"], true))).toBe(empty);
    expect(problemsOf(edited(one, add("b"), remove(["a"], true)))).toContain("empty-flow");
  });

  it("a flow that names agents and has none keeps its errors", () => {
    expect(problemsOf("swarm: { flow: a }\n")).toEqual(["no-agents", "unknown-name"]);
    expect(readSource("swarm: { flow: a }\n").problems[0]?.severity).toBe("error");
  });
});
