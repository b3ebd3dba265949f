import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { anyFlow } from "../read/source.arbitrary";
import { readSource } from "../read-source";
import { countChanges, diffFlows, type FlowDiff, isEmptyDiff, marksOf, type NodeChange } from "./diff-flows";

const flowOf = (agents: string, more = "", swarm = "swarm: { flow: a }") =>
  readSource(`name: T\nagents: { ${agents} }\n${more}${swarm}\n`).flow;

describe("the difference of two flows", () => {
  it("has what was added, removed and changed, field by field", () => {
    const before = flowOf("a: { model: demo:x }, b: { model: demo:x, max_steps: 3 }, c: { model: demo:x }");
    const after = flowOf("a: { model: demo:x }, c: { model: demo:y, tools: [calculator] }, d: { model: demo:z }");
    const diff = diffFlows(before, after);
    expect(diff).toEqual({
      flow: [],
      nodes: [
        {
          type: "changed",
          name: "c",
          kind: "agent",
          fields: [
            { field: "model", before: "demo:x", after: "demo:y" },
            { field: "tools", before: null, after: '["calculator"]' },
          ],
        },
        { type: "added", name: "d", kind: "agent", fields: [{ field: "model", before: null, after: "demo:z" }] },
        {
          type: "removed",
          name: "b",
          kind: "agent",
          fields: [
            { field: "model", before: "demo:x", after: null },
            { field: "max_steps", before: "3", after: null },
          ],
        },
      ],
    });
    expect(countChanges(diff)).toBe(3);
    expect([...marksOf(diff)]).toEqual([
      ["c", "changed"],
      ["d", "added"],
      ["b", "removed"],
    ]);
  });

  it("names fields inside of fields", () => {
    const router = (when: string) =>
      flowOf("a: { model: demo:x }", `routers: { r: { lanes: { one: { when: ${when}, flow: a } } } }\n`);
    expect(diffFlows(router("early"), router("late")).nodes).toMatchObject([
      { name: "r", kind: "router", fields: [{ field: "lanes.one.when", before: "early", after: "late" }] },
    ]);
  });

  it("sees that only the order of lanes changed", () => {
    const router = (lanes: string) => flowOf("a: { model: demo:x }", `routers: { r: { lanes: { ${lanes} } } }\n`);
    const { nodes } = diffFlows(
      router("one: { flow: a }, two: { flow: a }"),
      router("two: { flow: a }, one: { flow: a }"),
    );
    expect(nodes).toMatchObject([{ name: "r", fields: [{ field: "lanes" }] }]);
  });

  it("sees another kind of node under the same name", () => {
    const group = flowOf("a: { model: demo:x }", "groups: { b: { type: serial, flow: a } }\n");
    const [change] = diffFlows(flowOf("a: { model: demo:x }, b: { model: demo:x }"), group).nodes;
    expect(change).toMatchObject({ type: "changed", kind: "group" });
    expect(change?.fields[0]).toEqual({ field: "kind", before: "agent", after: "group" });
  });

  it("recognises a renamed node, and not one that was changed as well", () => {
    const before = flowOf("a: { model: demo:x, instructions: Write. }");
    const renamed = flowOf("b: { model: demo:x, instructions: Write. }", "", "swarm: { flow: b }");
    expect(diffFlows(before, renamed)).toMatchObject({
      flow: [{ field: "swarm.flow", before: "a", after: "b" }],
      nodes: [{ type: "renamed", name: "b", oldName: "a" }],
    });
    const rewritten = flowOf("b: { model: demo:x, instructions: Draw. }", "", "swarm: { flow: b }");
    expect(diffFlows(before, rewritten).nodes.map(({ type }) => type)).toEqual(["added", "removed"]);
  });

  it("has the name, variables, limits and root swarm of the flow", () => {
    const before = readSource("name: One\nvars: { tone: dry }\nagents: { a: {} }\nswarm: { flow: a }\n").flow;
    const after = readSource(
      "name: Two\nvars: { tone: warm }\nagents: { a: {} }\nlimits: { max_seconds: 5 }\nswarm: { type: team, agents: [a] }\n",
    ).flow;
    expect(diffFlows(before, after).flow.map(({ field }) => field)).toEqual([
      "name",
      "vars.tone",
      "swarm.type",
      "swarm.flow",
      "swarm.agents",
      "limits.max_seconds",
    ]);
  });

  it("is not confused by names of JavaScript", () => {
    const diff = diffFlows(flowOf("a: {}"), flowOf("a: {}, __proto__: { model: demo:x }, constructor: {}"));
    expect(diff.nodes.map(({ name }) => name).sort()).toEqual(["__proto__", "constructor"]);
  });
});

const invert = ({ flow, nodes }: FlowDiff): FlowDiff => ({
  flow: flow.map(({ field, before, after }) => ({ field, before: after, after: before })),
  nodes: nodes.map((node): NodeChange => {
    const fields = node.fields.map(({ field, before, after }) => ({ field, before: after, after: before }));
    if (node.type === "renamed") return { ...node, name: node.oldName, oldName: node.name };
    if (node.type === "changed") return { ...node, kind: "", fields };
    return { ...node, type: node.type === "added" ? "removed" : "added", fields };
  }),
});

/** Without what a comparison in the other direction has in another order, or not at all. */
const normalize = ({ flow, nodes }: FlowDiff) => ({
  flow: flow.toSorted(byText),
  nodes: nodes
    .map((node) => ({ ...node, kind: node.type === "changed" ? "" : node.kind, fields: node.fields.toSorted(byText) }))
    .toSorted(byText),
});
const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

test("property: a flow does not differ from itself, and an inverted difference is that of the other direction", () => {
  fc.assert(
    fc.property(anyFlow, anyFlow, (before, after) => {
      expect(isEmptyDiff(diffFlows(before, before))).toBe(true);
      const diff = diffFlows(before, after);
      for (const { fields } of diff.nodes) for (const change of fields) expect(change.before).not.toBe(change.after);
      expect(normalize(invert(diffFlows(after, before)))).toEqual(normalize(diff));
    }),
    { numRuns: 200 },
  );
});
