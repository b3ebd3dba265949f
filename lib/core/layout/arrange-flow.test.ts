import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFlow } from "../dsl/parse";
import { anyExpression } from "../dsl/parse.arbitrary";
import { emptyLayout } from "../flow/edit";
import { type Expression, mapNames, nameExpression, namesOf, serialExpression } from "../flow/expression";
import type { Flow } from "../flow/flow";
import type { Group } from "../kinds/group";
import type { Swarm } from "../kinds/swarm";
import { flowOf } from "../kinds/testing/flow.arbitrary";
import { anyRepeatingFlow } from "../kinds/testing/repeating-flow.arbitrary";
import { readSource } from "../source/read-source";
import { type ArrangedNode, type Arrangement, arrangeFlow } from "./arrange-flow";
import { countNodes } from "./count-nodes";
import { outlineFlow } from "./outline";

const read = (dsl: string): Expression => {
  const { expression } = parseFlow(dsl);
  if (!expression) throw new Error(`not readable: ${dsl}`);
  return expression;
};

const overlap = (a: ArrangedNode, b: ArrangedNode): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const inside = (node: ArrangedNode, frame: ArrangedNode): boolean =>
  node.x > frame.x &&
  node.y >= frame.y + 24 &&
  node.x + node.width < frame.x + frame.width &&
  node.y + node.height < frame.y + frame.height;

describe("arrangeFlow", () => {
  it("places a serial in a row and a parallel in a column", () => {
    const { nodes, edges } = arrangeFlow(flowOf(read("a >> (b | c) >> d")), emptyLayout);
    const at = new Map(nodes.map((node) => [node.name, node]));
    expect(at.get("b")?.x).toBe(at.get("c")?.x);
    expect(at.get("a")?.y).toBe(at.get("d")?.y);
    expect(edges.map((edge) => `${edge.fromName}-${edge.toName}`)).toEqual(["a-b", "a-c", "b-d", "c-d"]);
  });

  it("places the members of groups inside their frames, and moves them with the frame's pin", () => {
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

  it("draws unreached declarations below, and unknown names and recursive groups as cards", () => {
    const flow = flowOf(read("a >> loop"), { loop: ["serial", read("b >> loop")] }, ["spare"]);
    const { nodes, height } = arrangeFlow(flow, emptyLayout);
    const spare = nodes.find((node) => node.name === "spare");
    expect(spare?.placed).toBe(false);
    expect(spare && spare.y + spare.height).toBe(height);
    expect(nodes.find((node) => node.key === "loop/loop")?.frame).toBe(false);
  });

  it("is limited where a few names have exponentially many places: containers are cards then", () => {
    fc.assert(
      fc.property(anyRepeatingFlow, (source) => {
        const { flow } = readSource(source);
        const { nodes, edges } = arrangeFlow(flow, emptyLayout);
        expect(nodes.length).toBeLessThan(2_800);
        expect(edges.length).toBeLessThan(20_000);
        expect(outlineFlow(flow).items.length).toBeLessThan(25_000);
        expect(countNodes(flow, emptyLayout, 6_000)).toBeGreaterThanOrEqual(nodes.length);
      }),
      { numRuns: 30 },
    );
  });

  it("has no overlaps, keeps cards inside the size, and is deterministic", () => {
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

  it("property: one more agent in a line moves nothing across the flow, so that no two change their order there", () => {
    fc.assert(
      fc.property(
        anyExpression,
        fc.nat(),
        fc.constantFrom("right" as const, "down" as const),
        (drawn, at, direction) => {
          const unique = [...new Set(namesOf(drawn).map(({ name }) => name))];
          const target = unique[at % unique.length];
          const grown = mapNames(drawn, (name) =>
            name === target
              ? serialExpression([nameExpression(name), nameExpression("one more")])
              : nameExpression(name),
          );
          const before = arrangeFlow(flowOf(drawn), { pins: {}, direction });
          const after = new Map(
            arrangeFlow(flowOf(grown), { pins: {}, direction }).nodes.map((node) => [node.key, node]),
          );
          const across = direction === "right" ? "y" : "x";
          for (const node of before.nodes) expect(after.get(node.key)?.[across]).toBe(node[across]);
          expect(after.size).toBe(before.nodes.length + 1);
        },
      ),
    );
  });

  it("uses the direction of the layout, unless an option overrides it", () => {
    const flow = flowOf(read("a >> b"));
    const down = arrangeFlow(flow, { pins: {}, direction: "down" });
    expect(down.direction).toBe("down");
    expect(new Set(down.nodes.map((node) => node.x)).size).toBe(1);
    expect(arrangeFlow(flow, { pins: {}, direction: "down" }, { direction: "right" })).toEqual(
      arrangeFlow(flow, emptyLayout),
    );
  });

  it("keeps frames around their members and apart from other nodes", () => {
    const groups: Record<string, [Group["mode"], Expression]> = {
      outer: ["serial", read("x >> inner >> (y | z)")],
      inner: ["parallel", read("(p | q >> r)")],
    };
    const flow = flowOf(read("a >> (outer | b | inner) >> c"), groups, ["spare"]);
    for (const direction of ["right", "down"] as const) {
      const { nodes, edges } = arrangeFlow(flow, emptyLayout, { direction });
      const byKey = new Map(nodes.map((node) => [node.key, node]));
      nodes.forEach((node, index) => {
        const frame = node.parent === undefined ? undefined : byKey.get(node.parent);
        if (frame) expect(nodes.indexOf(frame)).toBeLessThan(index);
        if (frame) expect(inside(node, frame)).toBe(true);
        for (const other of nodes)
          if (other !== node && other.parent === node.parent) expect(overlap(node, other)).toBe(false);
      });
      expect(byKey.get("outer/inner/q")?.parent).toBe("outer/inner");
      expect(new Set(edges.map(({ key }) => key)).size).toBe(edges.length);
      const outer = edges.filter(({ scope }) => scope === "").map(({ fromName, toName }) => fromName + toName);
      expect(outer).toEqual(["aouter", "ab", "ainner", "outerc", "bc", "innerc"]);
      const inner = edges.filter(({ scope }) => scope === "outer").map(({ from, to }) => `${from} ${to}`);
      expect(inner).toEqual(["outer/x outer/inner", "outer/inner outer/y", "outer/inner outer/z"]);
    }
  });

  it("lets the links between two neighbours turn at one place, where no card is", () => {
    const flow = flowOf(read("(a | b >> c) >> (d | e >> (f | g))"));
    for (const direction of ["right", "down"] as const) {
      const { nodes, edges } = arrangeFlow(flow, emptyLayout, { direction });
      const trunks = new Map<string, number | undefined>();
      for (const { fromName, toName, trunk } of edges) trunks.set(fromName + toName, trunk);
      expect(new Set(["ad", "ae", "cd", "ce"].map((link) => trunks.get(link))).size).toBe(1);
      expect(trunks.get("ef")).toBe(trunks.get("eg"));
      for (const trunk of trunks.values())
        for (const { x, y, width, height } of nodes) {
          const [start, length] = direction === "right" ? [x, width] : [y, height];
          if (trunk === trunks.get("ad")) expect((trunk ?? 0) < start || (trunk ?? 0) > start + length).toBe(true);
        }
    }
  });

  it("mirrors the layout to the right when it runs down", () => {
    const flow = flowOf(read("a >> (b | c >> d) >> e"));
    const right = arrangeFlow(flow, emptyLayout);
    const down = arrangeFlow(flow, emptyLayout, { direction: "down" });
    const order = (side: "x" | "y", nodes: readonly ArrangedNode[]): string[] =>
      nodes.toSorted((m, n) => m[side] - n[side] || m.name.localeCompare(n.name)).map(({ name }) => name);
    expect(order("y", down.nodes)).toEqual(order("x", right.nodes));
    const withoutTrunk = ({ edges }: Arrangement) => edges.map(({ trunk: _, ...edge }) => edge);
    expect(withoutTrunk(down)).toEqual(withoutTrunk(right));
  });

  it("draws one card for a repeated name, and each link once", () => {
    const { nodes, edges } = arrangeFlow(flowOf(read("(a | a) >> b >> a")), emptyLayout);
    expect(nodes.map(({ key }) => key)).toEqual(["a", "b"]);
    expect(edges.map(({ key }) => key)).toEqual(["a//b", "b//a"]);
  });

  it("has unique edge keys for any names", () => {
    const names = ["x|y", "z", "x", "y|z", "a/b", "a", "b", "a//b", "__proto__", "%2F", "/"];
    const expression = serialExpression(names.map((name) => nameExpression(name)));
    const { nodes, edges } = arrangeFlow(flowOf(expression), emptyLayout);
    expect(new Set(nodes.map(({ key }) => key)).size).toBe(names.length);
    expect(new Set(edges.map(({ key }) => key)).size).toBe(names.length - 1);
    expect(nodes.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  });

  it("thins out links between two wide groups, and keeps at least one for each end", () => {
    const wide = (name: string, size: number): string =>
      `(${Array.from({ length: size }, (_, i) => `${name}${i}`).join(" | ")})`;
    const few = arrangeFlow(flowOf(read(`${wide("a", 20)} >> ${wide("b", 20)}`)), emptyLayout);
    expect(few.edges).toHaveLength(400);
    const many = arrangeFlow(flowOf(read(`${wide("a", 300)} >> ${wide("b", 700)}`)), emptyLayout);
    expect(many.edges).toHaveLength(700);
    expect(new Set(many.edges.map(({ from }) => from)).size).toBe(300);
    expect(new Set(many.edges.map(({ to }) => to)).size).toBe(700);
  });

  it("draws exponentially nested groups up to a limit, and draws too deep ones as cards", () => {
    const level = (i: number): Expression => read(i < 30 ? `(a${i} | b${i})` : "(x | y)");
    const doubling = Array.from({ length: 30 }, (_, i) =>
      ["a", "b"].map((side): [string, [Group["mode"], Expression]] => [`${side}${i}`, ["parallel", level(i + 1)]]),
    );
    const { nodes } = arrangeFlow(flowOf(level(0), Object.fromEntries(doubling.flat())), emptyLayout);
    expect(nodes.length).toBeLessThan(200_000);
    const chain = Array.from({ length: 300 }, (_, i): [string, [Group["mode"], Expression]] => [
      `g${i}`,
      ["serial", read(`m${i} >> (n${i} | g${i + 1})`)],
    ]);
    const deep = arrangeFlow(flowOf(read("g0"), Object.fromEntries(chain)), emptyLayout);
    expect(deep.nodes.some((node) => node.type === "group" && !node.frame)).toBe(true);
  });

  it("covers pinned nodes with its size", () => {
    const { width, height } = arrangeFlow(flowOf(read("a >> b")), { pins: { a: { dx: 5000, dy: 300 } } });
    expect([width, height]).toEqual([5208, 448]);
  });

  const drawn = (names: string, edges: [string, string][], type: Swarm["mode"] = "workflow"): Flow => {
    const base = flowOf(read(names));
    return { ...base, swarm: { ...base.swarm, mode: type, flow: undefined, edges } };
  };

  it("draws a graph that no DSL text can express by its ranks, as a draft", () => {
    const edges: [string, string][] = [
      ["a", "c"],
      ["b", "c"],
      ["b", "d"],
    ];
    const { nodes, edges: links } = arrangeFlow(drawn("(a | b | c | d)", edges), emptyLayout);
    expect(new Set(nodes.map((node) => node.x)).size).toBe(2);
    expect(links.map(({ from, to, type }) => [from, to, type])).toEqual(edges.map((edge) => [...edge, "draft"]));
  });

  it("ranks a cycle without the link that closes it", () => {
    const edges: [string, string][] = [
      ["a", "b"],
      ["b", "c"],
      ["c", "a"],
      ["c", "c"],
    ];
    const { nodes, edges: links } = arrangeFlow(drawn("(a | b | c)", edges), emptyLayout);
    expect(new Set(nodes.map((node) => node.x)).size).toBe(3);
    expect(links).toHaveLength(4);
    expect(
      arrangeFlow(drawn("(a | b | c)", edges, "handoff"), emptyLayout).edges.some(({ type }) => type === "draft"),
    ).toBe(false);
  });

  it("arranges an empty flow", () => {
    const base = flowOf(read("a"));
    const empty: Flow = { ...base, agents: new Map(), swarm: { ...base.swarm, flow: undefined } };
    expect(arrangeFlow(empty, emptyLayout)).toEqual({
      nodes: [],
      edges: [],
      lines: [],
      width: 0,
      height: 0,
      direction: "right",
      mode: "workflow",
      density: "full",
    });
    expect(arrangeFlow({ ...empty, agents: base.agents }, emptyLayout).nodes).toMatchObject([
      { x: 0, y: 0, placed: false },
    ]);
  });
});
