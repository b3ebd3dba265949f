import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyLayout } from "../../flow/edit";
import { anyFlow } from "../../source/read/source.arbitrary";
import { arrangeFlow } from "../arrange-flow";
import { flowOf } from "../testing/flow-of";
import { sceneOf } from "./scene";

describe("sceneOf", () => {
  it("property: finds exactly what a box meets, in order, wherever pins put it", () => {
    const side = fc.integer({ min: 0, max: 6000 });
    const corner = fc.integer({ min: -3000, max: 6000 });
    fc.assert(
      fc.property(anyFlow, corner, corner, side, side, (flow, x, y, width, height) => {
        const [first] = arrangeFlow(flow, emptyLayout).nodes;
        const pins = first ? { [first.key]: { dx: -2500, dy: 4000 } } : {};
        const { nodes, findIn } = sceneOf(arrangeFlow(flow, { pins }));
        const expected = nodes.flatMap((node, position) =>
          node.x <= x + width && x <= node.x + node.width && node.y <= y + height && y <= node.y + node.height
            ? [position]
            : [],
        );
        expect(findIn({ x, y, width, height })).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it("knows every link at both of its ends", () => {
    const { links, positions } = sceneOf(arrangeFlow(flowOf("a >> (b | c) >> d"), emptyLayout));
    const at = (key: string) => links(positions.get(key) ?? -1).map((edge) => edge.key);
    expect(at("a")).toEqual(["a//b", "a//c"]);
    expect(at("c")).toEqual(["a//c", "c//d"]);
    expect(links(-1)).toEqual([]);
  });

  it("finds the card under a point, a frame by its header, the innermost first", () => {
    const flow = flowOf("outer", { outer: ["serial", "inner >> z"], inner: ["parallel", "a | b"] });
    const { nodes, findAt } = sceneOf(arrangeFlow(flow, emptyLayout));
    const at = (key: string) => nodes.find((node) => node.key === key) ?? { x: 0, y: 0 };
    const card = at("outer/inner/b");
    expect(findAt(card.x + 5, card.y + 5, 36)?.key).toBe("outer/inner/b");
    const inner = at("outer/inner");
    expect(findAt(inner.x + 5, inner.y + 5, 36)?.key).toBe("outer/inner");
    expect(findAt(inner.x + 5, inner.y + 60, 36)).toBeNull();
    expect(findAt(inner.x + 5, inner.y + 60, 100)?.key).toBe("outer/inner");
    expect(findAt(-50, -50, 36)).toBeNull();
  });
});
