import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFlow } from "../../dsl/parse";
import { anyExpression } from "../../dsl/parse.arbitrary";
import { emptyLayout } from "../../flow/edit";
import type { Flow } from "../../flow/flow";
import { flowOf } from "../../kinds/testing/flow.arbitrary";
import { type ArrangedEdge, type Arrangement, arrangeFlow } from "../arrange-flow";
import { chooseArrangement } from "../choose-arrangement";
import type { CanvasBox, CanvasPoint } from "./canvas-box";
import { toLinkPoints } from "./link-points";
import { isDownward, routeOf } from "./link-route";
import { indexNodes } from "./node-index";

const views = [
  { width: 1048, height: 640 },
  { width: 1048, height: 360 },
  { width: 620, height: 640 },
  { width: 330, height: 560 },
];

/** Whether a horizontal or vertical line runs through a box. */
function runsThrough(start: CanvasPoint, end: CanvasPoint, { x, y, width, height }: CanvasBox): boolean {
  const [left, right] = [Math.min(start.x, end.x), Math.max(start.x, end.x)];
  const [top, bottom] = [Math.min(start.y, end.y), Math.max(start.y, end.y)];
  return left < x + width && right > x && top < y + height && bottom > y;
}

function listCrossings(arrangement: Arrangement): string[] {
  const nodes = indexNodes(arrangement);
  const cards = arrangement.nodes.filter(({ frame }) => !frame);
  const pointsOf = (edge: ArrangedEdge): CanvasPoint[] => {
    const [source, target] = [nodes.get(edge.from), nodes.get(edge.to)];
    if (!source || !target) return [];
    return toLinkPoints({ source, target, down: isDownward(arrangement, source) }, routeOf(arrangement, edge));
  };
  return arrangement.edges.flatMap((edge) => {
    const points = pointsOf(edge);
    const crossed = cards.filter((card) =>
      points.some((end, index) => index > 0 && runsThrough(points[index - 1] ?? end, end, card)),
    );
    return crossed.map(({ key }) => `${edge.key} under ${key}`);
  });
}

const flowOfText = (dsl: string): Flow => {
  const { expression } = parseFlow(dsl);
  if (!expression) throw new Error(`not readable: ${dsl}`);
  return flowOf(expression, {}, []);
};

describe("links of a workflow", () => {
  it.each([
    ["begins with lanes of different lengths", "a >> b >> c >> d >> e >> f >> (g >> h | i | j | k | l)", 330],
    ["ends with such lanes", "a >> (b >> c | d | e | f) >> g >> h >> i >> j >> k", 620],
  ])("turn beside the longest lane where a line %s", (_, dsl, width) => {
    const flow = flowOfText(dsl);
    for (let wrap = 400; wrap <= 1600; wrap += 50)
      for (const direction of ["right", "down"] as const)
        for (const density of ["full", "compact"] as const)
          expect([wrap, listCrossings(arrangeFlow(flow, emptyLayout, { wrap, direction, density }))]).toEqual([
            wrap,
            [],
          ]);
    expect(
      listCrossings(arrangeFlow(flow, emptyLayout, chooseArrangement(flow, emptyLayout, { width, height: 560 }))),
    ).toEqual([]);
  });

  it("property: never run under a card, however the flow is arranged for a view", () => {
    fc.assert(
      fc.property(anyExpression, fc.constantFrom(...views), (expression, view) => {
        const flow = flowOf(expression, {}, []);
        const options = chooseArrangement(flow, emptyLayout, view);
        expect(listCrossings(arrangeFlow(flow, emptyLayout, options))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
