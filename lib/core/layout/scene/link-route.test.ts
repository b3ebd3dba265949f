import { describe, expect, it } from "vitest";
import { emptyLayout } from "../../flow/edit";
import { readSource } from "../../source/read-source";
import { type ArrangedEdge, type Arrangement, arrangeFlow } from "../arrange-flow";
import { flowOf } from "../testing/flow-of";
import type { CanvasPoint } from "./canvas-box";
import { type LinkRoute, toHeadPath, toLinkPoints, toRoundedPath } from "./link-points";
import { isDownward, routeOf } from "./link-route";
import { indexNodes } from "./node-index";

const desk = `agents: { a: {}, b: {}, c: {}, d: {}, e: {} }
swarm:
  type: handoff
  agents: [a, b, c, d, e]
  edges: [[a, b], [a, c], [b, d], [c, d], [d, a], [b, a], [d, e], [e, a], [b, c]]
`;
const directions = ["right", "down"] as const;
const arrange = (source: string, direction: "right" | "down") =>
  arrangeFlow(readSource(source).flow, { ...emptyLayout, direction });

function pointsOf(arrangement: Arrangement, edge: ArrangedEdge): CanvasPoint[] {
  const nodes = indexNodes(arrangement);
  const [source, target] = [nodes.get(edge.from), nodes.get(edge.to)];
  if (!source || !target) throw new Error("an end is missing");
  return toLinkPoints({ source, target, down: isDownward(arrangement, source) }, routeOf(arrangement, edge));
}

/** The names of the cards that a link crosses, its own ends included. */
function crossed(arrangement: Arrangement, points: readonly CanvasPoint[]): string[] {
  const steps = points.slice(1).flatMap((end, index) => {
    const start = points[index] ?? end;
    return Array.from({ length: 101 }, (_, step) => ({
      x: start.x + ((end.x - start.x) * step) / 100,
      y: start.y + ((end.y - start.y) * step) / 100,
    }));
  });
  return arrangement.nodes
    .filter(({ x, y, width, height, frame }) =>
      steps.some((point) => !frame && point.x > x && point.x < x + width && point.y > y && point.y < y + height),
    )
    .map(({ name }) => name);
}

const typesOf = (arrangement: Arrangement): Record<string, LinkRoute["type"]> =>
  Object.fromEntries(arrangement.edges.map((edge) => [edge.key, routeOf(arrangement, edge).type]));

describe("the links of a handoff swarm", () => {
  it("are straight between cards in sight of each other, and go around the cards between all others", () => {
    const types = typesOf(arrange(desk, "right"));
    expect([types["a//b"], types["b//a"], types["b//c"]]).toEqual(["straight", "straight", "straight"]);
    expect(types["e//a"]).toBe("around");
  });

  it("cross no card in either direction", () => {
    for (const direction of directions) {
      const arrangement = arrange(desk, direction);
      for (const edge of arrangement.edges)
        expect([edge.key, crossed(arrangement, pointsOf(arrangement, edge))]).toEqual([edge.key, []]);
    }
  });

  it("have one line for a link and the one back", () => {
    const arrangement = arrange(desk, "right");
    const find = (key: string): CanvasPoint[] =>
      arrangement.edges.filter((edge) => edge.key === key).flatMap((edge) => pointsOf(arrangement, edge));
    expect(find("b//a").toReversed()).toEqual(find("a//b"));
  });
});

describe("the links of a workflow", () => {
  const text = "a >> (b | c >> d >> (x | y) | f) >> (g | h >> i) >> j";

  it("are right-angled, share a trunk, and cross no card", () => {
    for (const direction of directions) {
      const arrangement = arrangeFlow(flowOf(text), { ...emptyLayout, direction });
      for (const edge of arrangement.edges) {
        const points = pointsOf(arrangement, edge);
        expect([edge.key, crossed(arrangement, points)]).toEqual([edge.key, []]);
        points.slice(1).forEach((end, index) => {
          const start = points[index] ?? end;
          expect(Math.min(Math.abs(end.x - start.x), Math.abs(end.y - start.y))).toBeLessThan(0.01);
        });
        expect(routeOf(arrangement, edge)).toBe(routeOf(arrangement, edge));
      }
      const trunks = arrangement.edges
        .filter((edge) => edge.from === "a" && edge.to !== "c")
        .map((edge) => pointsOf(arrangement, edge)[1]?.[direction === "right" ? "x" : "y"]);
      expect(new Set(trunks).size).toBe(1);
    }
  });

  it("run back between the lines of a flow that wraps", () => {
    for (const direction of directions) {
      const flow = flowOf("a >> (b | c) >> d >> e >> (f | g) >> h");
      const arrangement = arrangeFlow(flow, { ...emptyLayout, direction }, { wrap: 800 });
      expect(arrangement.edges.some(({ turn }) => turn !== undefined)).toBe(true);
      for (const edge of arrangement.edges)
        expect([edge.key, crossed(arrangement, pointsOf(arrangement, edge))]).toEqual([edge.key, []]);
    }
  });

  it("find their way to a card that was dragged before its source", () => {
    const arrangement = arrangeFlow(flowOf("a >> b"), { pins: { b: { dx: -900, dy: 300 } } });
    for (const edge of arrangement.edges) expect(crossed(arrangement, pointsOf(arrangement, edge))).toEqual([]);
  });
});

describe("a link as a path", () => {
  const points = [
    { x: 0, y: 0 },
    { x: 40, y: 0 },
    { x: 40, y: 100 },
    { x: 50, y: 100 },
  ];

  it("has rounded corners, as far as there is room", () => {
    expect(toRoundedPath(points, 12)).toBe("M0 0L28 0Q40 0 40 12L40 95Q40 100 45 100L50 100");
  });

  it("ends in a head of 11 pixels", () => {
    expect(toHeadPath(points.slice(0, 2))).toBe("M40 0L29 -5.5L29 5.5Z");
  });
});
