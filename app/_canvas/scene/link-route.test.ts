import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { readSource } from "@/lib/core/source/read-source";
import { routeOf } from "./link-route";
import { flowOf } from "./test-flow";

const desk = `agents: { a: {}, b: {}, c: {}, d: {} }
swarm:
  type: handoff
  agents: [a, b, c, d]
  edges: [[a, b], [a, c], [b, d], [c, d], [d, a], [b, a]]
`;
const arrange = (direction: "right" | "down") => arrangeFlow(readSource(desk).flow, { ...emptyLayout, direction });
const routes = (arrangement: ReturnType<typeof arrange>) =>
  Object.fromEntries(arrangement.edges.map((edge) => [edge.key, routeOf(arrangement, edge)]));

describe("a link back", () => {
  it("passes below the cards between its ends", () => {
    const arrangement = arrange("right");
    const bottom = Math.max(...arrangement.nodes.map(({ y, height }) => y + height));
    const ends = arrangement.nodes.filter(({ name }) => name === "a" || name === "d");
    const middle = ends.reduce((sum, { y, height }) => sum + y + height / 2, 0) / 2;
    expect(routes(arrangement)["d//a"]?.clear).toBeCloseTo(bottom - middle);
    expect(routes(arrange("down"))["d//a"]?.clear).toBeGreaterThan(100);
  });

  it("needs no room where no card is in between", () => {
    const found = routes(arrange("right"));
    expect([found["b//a"], found["a//b"]]).toEqual([
      { clear: 0, bend: "swing" },
      { clear: 0, bend: "swing" },
    ]);
  });
});

describe("a link onward", () => {
  it("changes lanes beside the longer lane, not across its cards", () => {
    for (const direction of ["right", "down"] as const) {
      const arrangement = arrangeFlow(flowOf("a >> (b | c >> d >> e | f) >> g"), { ...emptyLayout, direction });
      const found = routes(arrangement);
      expect([found["a//b"]?.bend, found["a//f"]?.bend]).toEqual(["start", "start"]);
      expect([found["b//g"]?.bend, found["f//g"]?.bend]).toEqual(["end", "end"]);
      expect([found["a//c"]?.bend, found["c//d"]?.bend, found["e//g"]?.bend]).toEqual(["swing", "swing", "swing"]);
      for (const edge of arrangement.edges) expect(routeOf(arrangement, edge)).toBe(found[edge.key]);
    }
  });
});
