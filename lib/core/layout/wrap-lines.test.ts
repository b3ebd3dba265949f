import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFlow } from "../dsl/parse";
import { anyExpression } from "../dsl/parse.arbitrary";
import { emptyLayout } from "../flow/edit";
import { type Expression, nameExpression, serialExpression } from "../flow/expression";
import { flowOf } from "../kinds/testing/flow.arbitrary";
import { type ArrangedNode, arrangeFlow } from "./arrange-flow";
import { cardSize, cardSizes, gap } from "./arrangement";

const read = (dsl: string): Expression => {
  const { expression } = parseFlow(dsl);
  if (!expression) throw new Error(`not readable: ${dsl}`);
  return expression;
};
const chain = (count: number): Expression =>
  serialExpression(Array.from({ length: count }, (_, index) => nameExpression(`s${index}`)));
const lineOf = (cards: number): number => cards * (cardSize.width + gap.along) - gap.along;
const overlap = (a: ArrangedNode, b: ArrangedNode): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe("a wrapped flow", () => {
  it("has rows of as many cards as fit, linked by one link each that turns between them", () => {
    const { nodes, edges, lines, width, height } = arrangeFlow(flowOf(chain(7)), emptyLayout, { wrap: lineOf(3) });
    expect(nodes.map(({ x, y }) => [x / (cardSize.width + gap.along), y / (cardSize.height + gap.lines)])).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
      [0, 1],
      [1, 1],
      [2, 1],
      [0, 2],
    ]);
    expect(lines.map(({ start, end }) => [start, end])).toEqual([
      [0, 3],
      [3, 6],
      [6, 7],
    ]);
    expect(edges.map(({ key }) => key).toSorted()).toEqual([0, 1, 2, 3, 4, 5].map((n) => `s${n}//s${n + 1}`));
    const turn = cardSize.height + gap.lines / 2;
    expect(edges.filter((edge) => edge.turn !== undefined).map((edge) => [edge.key, edge.turn])).toEqual([
      ["s2//s3", turn],
      ["s5//s6", turn + cardSize.height + gap.lines],
    ]);
    expect([width, height]).toEqual([lineOf(3), 3 * cardSize.height + 2 * gap.lines]);
  });

  it("has columns when it runs down", () => {
    const { nodes, edges, lines } = arrangeFlow(flowOf(chain(4)), emptyLayout, {
      wrap: 2 * cardSizes.compact.height + gap.along,
      direction: "down",
      density: "compact",
    });
    expect(nodes.map(({ x, y }) => [x, y])).toEqual([
      [0, 0],
      [0, 164],
      [264, 0],
      [264, 164],
    ]);
    expect(lines).toHaveLength(2);
    expect(edges.find((edge) => edge.turn !== undefined)?.turn).toBe(cardSize.width + gap.lines / 2);
  });

  it("links every end of a line to every start of the next", () => {
    const { edges } = arrangeFlow(flowOf(read("a >> (b | c) >> (d | e) >> f")), emptyLayout, { wrap: lineOf(2) });
    const turns = edges.filter(({ turn }) => turn !== undefined).map(({ key }) => key);
    expect(turns).toEqual(["b//d", "b//e", "c//d", "c//e"]);
    expect(edges).toHaveLength(8);
  });

  it("is the same as one line when it fits or has no serial", () => {
    for (const dsl of ["a >> b >> c", "(a | b | c)", "a"])
      expect(arrangeFlow(flowOf(read(dsl)), emptyLayout, { wrap: lineOf(3) })).toEqual(
        arrangeFlow(flowOf(read(dsl)), emptyLayout),
      );
  });

  it("keeps every position when an agent is added at its end, and all earlier lines when one is added in the last", () => {
    const before = arrangeFlow(flowOf(chain(7)), emptyLayout, { wrap: lineOf(3) });
    const after = arrangeFlow(flowOf(chain(8)), emptyLayout, { wrap: lineOf(3) });
    expect(after.nodes.slice(0, 7)).toEqual(before.nodes);
  });

  it("moves by a pin only the card that is pinned", () => {
    const before = arrangeFlow(flowOf(chain(5)), emptyLayout, { wrap: lineOf(2) });
    const after = arrangeFlow(flowOf(chain(5)), { pins: { s3: { dx: 10, dy: 5 } } }, { wrap: lineOf(2) });
    after.nodes.forEach((node, index) => {
      const { x = 0, y = 0 } = before.nodes[index] ?? {};
      expect([node.x, node.y]).toEqual(node.key === "s3" ? [x + 10, y + 5] : [x, y]);
    });
  });

  it("property: has the nodes and links of one line, without overlaps, in order", () => {
    fc.assert(
      fc.property(
        anyExpression,
        fc.integer({ min: 1, max: 3000 }),
        fc.constantFrom("right" as const, "down" as const),
        fc.constantFrom("full" as const, "compact" as const),
        (expression, wrap, direction, density) => {
          const flow = flowOf(expression, {}, ["spare one", "spare two"]);
          const options = { wrap, direction, density };
          const [wrapped, plain] = [
            arrangeFlow(flow, emptyLayout, options),
            arrangeFlow(flow, emptyLayout, { direction, density }),
          ];
          expect(wrapped.nodes.map(({ key }) => key)).toEqual(plain.nodes.map(({ key }) => key));
          const keysOf = (edges: readonly { key: string }[]) => edges.map(({ key }) => key).toSorted();
          expect(keysOf(wrapped.edges)).toEqual(keysOf(plain.edges));
          wrapped.nodes.forEach((node, index) => {
            expect(node.x >= 0 && node.y >= 0).toBe(true);
            expect(node.x + node.width <= wrapped.width && node.y + node.height <= wrapped.height).toBe(true);
            for (const other of wrapped.nodes.slice(index + 1)) expect(overlap(node, other)).toBe(false);
          });
          expect(arrangeFlow(flow, emptyLayout, options)).toEqual(wrapped);
        },
      ),
      { numRuns: 60 },
    );
  });
});
