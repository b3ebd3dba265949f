import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyLayout } from "../flow/edit";
import type { Flow } from "../flow/flow";
import { anyFlow } from "../source/read/source.arbitrary";
import { readSource } from "../source/read-source";
import { type ArrangedNode, arrangeFlow } from "./arrange-flow";

const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
const flowOf = (text: string): Flow =>
  readSource(`agents: { ${names.map((name) => `${name}: { model: demo:x }`).join(", ")} }\n${text}`).flow;
const directions = ["right", "down"] as const;

const overlap = (a: ArrangedNode, b: ArrangedNode): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Frames contain their members below their header; nothing else overlaps; all nodes are inside the size, and links connect existing nodes. */
function expectTidy(flow: Flow, direction: "right" | "down"): Map<string, ArrangedNode> {
  const { nodes, edges, width, height } = arrangeFlow(flow, emptyLayout, { direction });
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  expect(byKey.size).toBe(nodes.length);
  for (const node of nodes) {
    expect([node.x >= 0, node.y >= 0, node.x + node.width <= width, node.y + node.height <= height]).not.toContain(
      false,
    );
    const frame = node.parent === undefined ? undefined : byKey.get(node.parent);
    expect(node.parent === undefined || frame?.frame).toBe(true);
    if (frame)
      expect(
        node.x > frame.x &&
          node.y >= frame.y + 24 &&
          node.x + node.width < frame.x + frame.width &&
          node.y + node.height < frame.y + frame.height,
      ).toBe(true);
    for (const other of nodes)
      if (other !== node && other.parent === node.parent) expect(overlap(node, other)).toBe(false);
  }
  for (const { from, to } of edges) expect([byKey.has(from), byKey.has(to)]).toEqual([true, true]);
  return byKey;
}

/** The names of each rank, in order. */
function ranksOf(nodes: Iterable<ArrangedNode>, axis: "x" | "y"): string[][] {
  const ranks = new Map<number, string[]>();
  for (const node of nodes) ranks.set(node[axis], [...(ranks.get(node[axis]) ?? []), node.name]);
  return [...ranks].toSorted(([a], [b]) => a - b).map(([, found]) => found);
}

describe("arrangeFlow", () => {
  it.each([
    [
      "by distance from the first",
      "agents: [a, b, c, d, e], edges: [[a, b], [a, c], [b, d], [c, d], [d, e]]",
      [["a"], ["b", "c"], ["d"], ["e"]],
    ],
    ["back and forth", "agents: [a, b, c], edges: [[a, b], [b, a], [b, c], [c, a], [c, c]]", [["a"], ["b"], ["c"]]],
    ["the shortest way counts", "agents: [a, b, c], edges: [[a, b], [b, c], [a, c]]", [["a"], ["b", "c"]]],
    ["unreachable members last", "agents: [a, b, c, d], edges: [[c, d], [a, b]]", [["a"], ["b"], ["c", "d"]]],
    ["no handoffs", "agents: [a, b, c]", [["a"], ["b", "c"]]],
    ["from a text", "flow: b >> a, edges: [[b, a]]", [["b"], ["a"]]],
  ])("draws a handoff swarm in ranks: %s", (_, swarm, ranks) => {
    const flow = flowOf(`swarm: { type: handoff, ${swarm} }\n`);
    for (const direction of directions) {
      const placed = [...expectTidy(flow, direction).values()].filter((node) => node.placed);
      expect(ranksOf(placed, direction === "right" ? "x" : "y")).toEqual(ranks);
    }
    expect(arrangeFlow(flow, emptyLayout).edges.every(({ type }) => type === "handoff")).toBe(true);
  });

  it.each(["team", "orchestrate"])("draws the lead of a %s before or above its workers, linked to each", (type) => {
    const flow = flowOf(`swarms: { s: { type: ${type}, agents: [c, a, b] } }\nswarm: { flow: d >> s >> e }\n`);
    const { nodes, edges } = arrangeFlow(flow, emptyLayout);
    const inside = nodes.filter(({ parent }) => parent === "s");
    expect(ranksOf(inside, type === "team" ? "y" : "x")).toEqual([["c"], ["a", "b"]]);
    const kind = type === "team" ? "delegate" : "spawn";
    expect(edges.filter(({ scope }) => scope === "s").map((edge) => [edge.key, edge.type])).toEqual([
      ["s/c//s/a", kind],
      ["s/c//s/b", kind],
    ]);
    expect(edges.filter(({ scope }) => scope === "").map(({ key }) => key)).toEqual(["d//s", "s//e"]);
  });

  it("marks the first nodes of each lane, and links no lane to another", () => {
    const flow = flowOf(
      'branches: { q: { condition: "true", if_true: a >> b, if_false: (c | d) >> e } }\nswarm: { flow: f >> q }\n',
    );
    const { nodes, edges } = arrangeFlow(flow, emptyLayout);
    const lanes = nodes.flatMap(({ name, lane }) => (lane === undefined ? [] : [[name, lane]]));
    expect(lanes).toEqual([
      ["a", "if_true"],
      ["c", "if_false"],
      ["d", "if_false"],
    ]);
    expect(edges.map(({ key }) => key).toSorted()).toEqual(["f//q", "q/a//q/b", "q/c//q/e", "q/d//q/e"]);
  });

  it("has no overlaps with controls in groups in loops, empty lanes and lanes that repeat a name", () => {
    const flow = flowOf(`groups:
  pair: { flow: choose | d }
  chain: { type: serial, flow: e >> refine >> ask }
branches:
  choose: { condition: "true", if_true: a >> (b | c) }
  empty: { condition: "true", if_false: a }
  blank: { condition: "true" }
routers:
  triage: { model: demo:x, lanes: { one: pair >> f, two: "(g | empty | g)", three: {}, four: g } }
loops:
  refine: { body: triage >> h, count: 2 }
  again: { body: again, count: 2 }
  unread: { body: missing >> pair, count: 2 }
approvals: { ask: {} }
swarms: { desk: { type: handoff, agents: [chain, triage, blank], edges: [[chain, triage], [triage, chain]] } }
swarm: { flow: a >> (desk | again >> unread) >> ask }
`);
    for (const direction of directions) {
      const byKey = expectTidy(flow, direction);
      expect(byKey.get("desk/chain/refine/triage/pair/choose/b")?.parent).toBe("desk/chain/refine/triage/pair/choose");
      expect(byKey.get("desk/chain/refine/triage/pair/choose/a")?.lane).toBe("if_true");
      expect(byKey.get("again/again")?.frame).toBe(false);
      expect(byKey.get("desk/blank")?.frame).toBe(true);
      expect(byKey.get("desk/chain/ask")).toMatchObject({ type: "approval", frame: false });
      expect(byKey.get("unread/missing")?.type).toBe("unknown");
    }
  });

  it("property: has valid geometry for any flow", () => {
    fc.assert(
      fc.property(anyFlow, fc.constantFrom(...directions), (flow, direction) => {
        expectTidy(flow, direction);
      }),
      { numRuns: 50 },
    );
  });
});
