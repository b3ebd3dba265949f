import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFlow } from "../dsl/parse";
import { anyExpression } from "../dsl/parse.arbitrary";
import { type ArrangedNode, arrangeFlow } from "./arrange";
import { emptyLayout } from "./edit";
import type { Expression } from "./expression";
import { flowOf } from "./flow.arbitrary";

const read = (dsl: string): Expression => {
  const { expression } = parseFlow(dsl);
  if (!expression) throw new Error(`not readable: ${dsl}`);
  return expression;
};

const overlap = (a: ArrangedNode, b: ArrangedNode): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe("arrangeFlow", () => {
  it("puts a serial side by side and a parallel above each other", () => {
    const { nodes, edges } = arrangeFlow(flowOf(read("a >> (b | c) >> d")), emptyLayout);
    const at = new Map(nodes.map((node) => [node.name, node]));
    expect(at.get("b")?.x).toBe(at.get("c")?.x);
    expect(at.get("a")?.y).toBe(at.get("d")?.y);
    expect(edges.map((edge) => `${edge.fromName}-${edge.toName}`)).toEqual(["a-b", "a-c", "b-d", "c-d"]);
  });

  it("holds the members of groups inside their frames, and moves them with the frame's pin", () => {
    const flow = flowOf(read("a >> review >> z"), { review: ["parallel", read("(x | y)")] });
    const plain = new Map(arrangeFlow(flow, emptyLayout).nodes.map((node) => [node.key, node]));
    const pinned = new Map(
      arrangeFlow(flow, { pins: { review: { dx: 40, dy: 8 } } }).nodes.map((node) => [node.key, node]),
    );
    const [frame, member] = [plain.get("review"), plain.get("review/x")];
    if (!frame || !member) throw new Error("the frame or its member is missing");
    expect(frame.frame).toBe(true);
    expect(member.parent).toBe("review");
    expect(member.x).toBeGreaterThan(frame.x);
    expect(member.x + member.width).toBeLessThan(frame.x + frame.width);
    expect(pinned.get("review/x")?.x).toBe(member.x + 40);
    expect(pinned.get("z")?.x).toBe(plain.get("z")?.x);
  });

  it("draws what is in no topology below, and unknown names and self-holding groups as cards", () => {
    const flow = flowOf(read("a >> loop"), { loop: ["serial", read("b >> loop")] }, ["spare"]);
    const { nodes, height } = arrangeFlow(flow, emptyLayout);
    const spare = nodes.find((node) => node.name === "spare");
    expect(spare?.placed).toBe(false);
    expect(spare && spare.y + spare.height).toBe(height);
    expect(nodes.find((node) => node.key === "loop/loop")?.frame).toBe(false);
  });

  it("never lets two cards overlap, keeps cards inside the size, and answers the same twice", () => {
    fc.assert(
      fc.property(anyExpression, fc.constantFrom("right" as const, "down" as const), (expression, direction) => {
        const flow = flowOf(expression, {}, ["spare one", "spare two"]);
        const arranged = arrangeFlow(flow, emptyLayout, { direction });
        arranged.nodes.forEach((node, index) => {
          expect(
            node.x >= 0 &&
              node.y >= 0 &&
              node.x + node.width <= arranged.width &&
              node.y + node.height <= arranged.height,
          ).toBe(true);
          for (const other of arranged.nodes.slice(index + 1)) expect(overlap(node, other)).toBe(false);
        });
        expect(arrangeFlow(flow, emptyLayout, { direction })).toEqual(arranged);
      }),
    );
  });

  it("draws a graph that no text can say by its ranks", () => {
    const base = flowOf(read("(a | b | c | d)"));
    const swarm = {
      ...base.swarm,
      flow: undefined,
      edges: [
        ["a", "c"],
        ["b", "c"],
        ["b", "d"],
      ] as const,
    };
    const { nodes, edges } = arrangeFlow({ ...base, swarm }, emptyLayout);
    expect(new Set(nodes.map((node) => node.x)).size).toBe(2);
    expect(edges.every((edge) => edge.draft)).toBe(true);
  });
});
