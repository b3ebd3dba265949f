import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyExpression } from "../dsl/parse.arbitrary";
import { type Edit, emptyLayout, type Layout } from "../flow/edit";
import { namesOf } from "../flow/expression";
import { applyChanges } from "../flow/text-change";
import { flowOf } from "../kinds/testing/flow.arbitrary";
import { applyEdit } from "../source/apply-edit";
import { readSource } from "../source/read-source";
import { type ArrangedNode, type Arrangement, arrangeFlow } from "./arrange-flow";
import { cardSize, frameInsetOf, gap } from "./arrangement";

const text = `name: Laws
agents:
${["a", "b", "c", "d", "e", "f", "g", "spare"].map((name) => `  ${name}: { model: "demo:x" }`).join("\n")}
groups:
  review: { type: parallel, flow: "b | c" }
swarms:
  talk: { type: handoff, agents: [e, f], edges: [[e, f]] }
loops:
  refine: { body: g, count: 2 }
swarm: { flow: a >> review >> (d | talk) >> refine }
`;
const document = readSource(text);
const arrange = (source: string, layout: Layout = emptyLayout): Arrangement =>
  arrangeFlow(readSource(source).flow, layout);
const edit = (change: Edit): string => {
  const result = applyEdit(document, emptyLayout, change);
  if (!result.ok) throw new Error(result.problem.message);
  return applyChanges(text, result.changes);
};
const byKey = ({ nodes }: Arrangement): Map<string, ArrangedNode> => new Map(nodes.map((node) => [node.key, node]));

describe("the arrangement of a flow", () => {
  it.each<[string, Edit]>([
    ["a field of an agent", { type: "set-agent-field", name: "b", field: "instructions", value: "Long.\n".repeat(50) }],
    ["the name of the flow", { type: "set-flow-name", name: "Another" }],
    ["a variable", { type: "set-var", name: "tone", value: "kind" }],
    ["a limit", { type: "set-limit", field: "max_tokens", value: 5 }],
    ["a separator", { type: "set-separator", scope: { type: "group", name: "review" }, separator: " / " }],
  ])("is the same after a change of %s", (_, change) => {
    expect(arrange(edit(change))).toEqual(arrange(text));
  });

  it("is that of the same flow in another order of declarations", () => {
    const lines = text.split("\n");
    const reversed = [...lines.slice(0, 2), ...lines.slice(2, 9).reverse(), ...lines.slice(9)].join("\n");
    expect(reversed).not.toBe(text);
    // The numbers of agents follow the declarations.
    const withoutNumbers = ({ nodes, ...arrangement }: ReturnType<typeof arrange>) => ({
      ...arrangement,
      nodes: nodes.map(({ agentNumber: _, ...node }) => node),
    });
    expect(withoutNumbers(arrange(reversed))).toEqual(withoutNumbers(arrange(text)));
  });

  it("keeps every position when a declaration comes that is in no topology", () => {
    const after = byKey(arrange(edit({ type: "declare-agent", name: "late" })));
    for (const [key, node] of byKey(arrange(text))) expect(after.get(key)).toEqual(node);
    expect(after.get("late")?.placed).toBe(false);
  });

  it("keeps every position and size when a declaration is renamed", () => {
    const after = arrange(edit({ type: "rename", from: "b", to: "bee" }));
    const shapeOf = ({ nodes }: Arrangement) =>
      nodes.map(({ x, y, width, height, frame }) => [x, y, width, height, frame]);
    expect(shapeOf(after)).toEqual(shapeOf(arrange(text)));
  });

  it("puts the last steps of a serial where they were when the one after them goes", () => {
    const before = byKey(arrange(text));
    const after = byKey(
      arrange(edit({ type: "delete-nodes", scope: { type: "root" }, names: ["refine"], declarations: true })),
    );
    for (const key of ["a", "review", "review/b", "d", "talk/e"]) expect(after.get(key)?.x).toBe(before.get(key)?.x);
  });

  it.each([
    ["a card", "a", ["a"]],
    ["a frame with its content", "review", ["review", "review/b", "review/c"]],
    ["a member of a frame", "review/b", ["review/b"]],
    ["a card outside of the flow", "spare", ["spare"]],
    ["nothing for a key without a node", "ghost", []],
    ["nothing for the name of a property", "__proto__", []],
  ])("moves by a pin %s", (_, key, moved) => {
    const before = byKey(arrange(text));
    const pins: Layout["pins"] = Object.fromEntries([[key, { dx: 12, dy: -8 }]]);
    for (const [nodeKey, node] of byKey(arrange(text, { pins }))) {
      const [dx, dy] = moved.includes(nodeKey) ? [12, -8] : [0, 0];
      const start = before.get(nodeKey);
      expect([nodeKey, node.x, node.y]).toEqual([nodeKey, (start?.x ?? 0) + dx, (start?.y ?? 0) + dy]);
    }
  });

  it("adds the pins of a frame and of what is in it", () => {
    const pins = { review: { dx: 10, dy: 0 }, "review/b": { dx: 1, dy: 2 } };
    const [before, after] = [byKey(arrange(text)), byKey(arrange(text, { pins }))];
    const start = before.get("review/b");
    expect(after.get("review/b")).toMatchObject({ x: (start?.x ?? 0) + 11, y: (start?.y ?? 0) + 2 });
  });

  it("has the documented distances", () => {
    const nodes = byKey(arrange(text));
    const [first, review, member] = [nodes.get("a"), nodes.get("review"), nodes.get("review/b")];
    expect(first).toMatchObject({ x: 0, ...cardSize });
    expect(review?.x).toBe(cardSize.width + gap.along);
    const inset = frameInsetOf({ type: "group", mode: "parallel" }, "right");
    expect(review?.height).toBe(2 * cardSize.height + gap.across + inset.top + inset.bottom);
    expect(member).toMatchObject({ x: (review?.x ?? 0) + inset.left, y: (review?.y ?? 0) + inset.top });
  });

  it("lists a frame before its content, and links only what it lists", () => {
    const { nodes, edges } = arrange(text);
    const keys = nodes.map(({ key }) => key);
    for (const { key, parent } of nodes)
      if (parent !== undefined) expect(keys.indexOf(parent)).toBeLessThan(keys.indexOf(key));
    for (const edge of edges) expect(keys).toEqual(expect.arrayContaining([edge.from, edge.to]));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("places what is outside of the flow in rows of five below it", () => {
    const names = Array.from({ length: 12 }, (_, index) => `w${index}`);
    const waiting = `agents:\n  a: {}\n${names.map((name) => `  ${name}: {}\n`).join("")}swarm: { flow: a }\n`;
    const nodes = arrange(waiting).nodes.filter(({ placed }) => !placed);
    expect(nodes.map(({ name }) => name)).toEqual(names);
    expect(new Set(nodes.map(({ x }) => x)).size).toBe(5);
    expect(new Set(nodes.map(({ y }) => y)).size).toBe(3);
    expect(Math.min(...nodes.map(({ y }) => y))).toBeGreaterThan(cardSize.height);
  });

  it("property: is determined by the flow and the layout alone, and changes neither", () => {
    fc.assert(
      fc.property(anyExpression, fc.constantFrom("right" as const, "down" as const), (expression, direction) => {
        const flow = flowOf(expression);
        const copy = structuredClone(flow.swarm);
        const layout: Layout = { pins: { a: { dx: 3, dy: 4 } }, direction };
        const arrangement = arrangeFlow(flow, layout);
        expect(arrangeFlow(flow, layout)).toEqual(arrangement);
        expect(flow.swarm).toEqual(copy);
        expect(layout).toEqual({ pins: { a: { dx: 3, dy: 4 } }, direction });
      }),
      { numRuns: 40 },
    );
  });

  it("property: each name of a topology has one card, and everything is inside the size", () => {
    fc.assert(
      fc.property(anyExpression, (expression) => {
        const { nodes, width, height } = arrangeFlow(flowOf(expression), emptyLayout);
        const placed = nodes.filter((node) => node.placed);
        const names = new Set(namesOf(expression).map(({ name }) => name));
        expect(placed.map(({ name }) => name).toSorted()).toEqual([...names].toSorted());
        expect(width).toBe(Math.max(...nodes.map((node) => node.x + node.width)));
        expect(height).toBe(Math.max(...nodes.map((node) => node.y + node.height)));
      }),
      { numRuns: 40 },
    );
  });
});
