import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { flowOf } from "../scene/test-flow";
import { type CanvasInput, findMoved, toCanvas } from "./canvas-mapping";

const input = (flow: Flow, more: Partial<CanvasInput> = {}): CanvasInput => ({
  flow,
  arrangement: arrangeFlow(flow, emptyLayout),
  problems: [],
  selection: [],
  edge: null,
  ...more,
});
const review = { review: ["parallel", "ann | ben"] } as const;
const nested = () => flowOf("plan >> review >> write", { review: [...review.review] }, ["idle"]);

describe("toCanvas", () => {
  it("gives React Flow everything that it would have to measure", () => {
    const { nodes, edges } = toCanvas(input(nested()));
    for (const node of nodes) {
      expect(node.width).toBeGreaterThan(0);
      expect(node.measured).toEqual({ width: node.width, height: node.height });
      expect(node.handles).toHaveLength(node.type === "unconnectedZone" ? 0 : 2);
    }
    expect(edges.map(({ source, target }) => [source, target])).toEqual([
      ["plan", "review"],
      ["review", "write"],
    ]);
  });

  it("puts members into their frame, relative to it, frames first", () => {
    const { nodes } = toCanvas(input(nested()));
    const frame = nodes.findIndex((node) => node.id === "review");
    const member = nodes.findIndex((node) => node.id === "review/ann");
    expect(frame).toBeLessThan(member);
    expect(nodes[frame]?.type).toBe("frame");
    expect(nodes[member]).toMatchObject({ parentId: "review", type: "agent", position: { x: 20, y: 44 } });
  });

  it("labels the zone of what is not in the flow", () => {
    const { nodes } = toCanvas(input(nested()));
    expect(nodes.filter((node) => node.type === "unconnectedZone")).toHaveLength(1);
    expect(toCanvas(input(flowOf("a >> b"))).nodes.some((node) => node.type === "unconnectedZone")).toBe(false);
  });

  it("keeps the very objects of what did not change, across a fresh flow", () => {
    const before = toCanvas(input(nested()));
    const again = toCanvas(input(nested()), before);
    expect(again.nodes).toBe(before.nodes);
    expect(again.edges).toBe(before.edges);

    const selected = toCanvas(input(nested(), { selection: ["write"] }), before);
    const changed = selected.nodes.filter((node, index) => node !== before.nodes[index]);
    expect(changed.map((node) => node.id)).toEqual(["write"]);
  });

  it("leaves a card where the hand holds it", () => {
    const before = toCanvas(input(flowOf("a >> b")));
    const held = before.nodes.map((node) =>
      node.id === "a" ? { ...node, position: { x: 500, y: 9 }, dragging: true } : node,
    );
    const after = toCanvas(input(flowOf("a >> b"), { selection: ["a"] }), { ...before, nodes: held });
    expect(after.nodes.find((node) => node.id === "a")).toMatchObject({ position: { x: 500, y: 9 }, selected: true });
  });

  it("counts problems by severity on the nodes they name", () => {
    const problems = [
      { code: "missing-key", severity: "error", message: "", nodes: ["a"] },
      { code: "missing-key", severity: "warning", message: "", nodes: ["a", "b"] },
    ] as const;
    const { nodes } = toCanvas(input(flowOf("a >> b"), { problems }));
    expect(nodes.map((node) => node.data)).toMatchObject([
      { errors: 1, warnings: 1 },
      { errors: 0, warnings: 1 },
    ]);
  });

  it("takes any name", () => {
    const flow = flowOf("__proto__ >> constructor >> toString");
    expect(toCanvas(input(flow)).nodes.map((node) => node.id)).toEqual(["__proto__", "constructor", "toString"]);
  });
});

describe("findMoved", () => {
  it("returns how far a dropped card is from its position, inside frames too", () => {
    const { nodes } = toCanvas(input(nested()));
    const moved = nodes
      .filter((node) => node.id === "review/ann")
      .map((node) => ({ ...node, position: { x: node.position.x + 7, y: node.position.y - 3 } }));
    expect(findMoved(moved, arrangeFlow(nested(), emptyLayout))).toEqual([{ key: "review/ann", dx: 7, dy: -3 }]);
  });
});

describe("notes", () => {
  const note = { x: 5, y: -6, width: 200, height: 100, text: "Why", color: "blue" } as const;
  const notes = { n: note, m: { ...note, x: 900 } };

  it("are drawn below the cards, report where they were dragged to, and stay the same objects", () => {
    const drawn = toCanvas(input(nested(), { notes, selection: ["/m/"] }));
    const papers = drawn.nodes.filter(({ type }) => type === "note");
    expect(papers).toMatchObject([
      { id: "/n/", position: { x: 5, y: -6 }, width: 200, zIndex: -1, selected: false, data: { text: "Why" } },
      { id: "/m/", selected: true },
    ]);
    const ids = drawn.nodes.map(({ id }) => id);
    expect(ids.indexOf("/m/")).toBeLessThan(ids.indexOf("plan"));
    const moved = papers.map((paper) => ({ ...paper, position: { x: 15, y: 14 } })).slice(0, 1);
    expect(findMoved(moved, arrangeFlow(nested(), emptyLayout), notes)).toEqual([{ key: "/n/", dx: 10, dy: 20 }]);
    const written = { ...notes, n: { ...note, text: "Because" } };
    const next = toCanvas({ ...input(nested()), ...drawn.input, notes: written }, drawn);
    expect(next.nodes.filter((node) => !drawn.nodes.includes(node)).map(({ id }) => id)).toEqual(["/n/"]);
    expect(next.edges).toBe(drawn.edges);
  });

  it("are elements only where they are mounted", () => {
    const drawn = toCanvas(input(nested(), { notes, mounted: new Set(["/n/"]) }));
    expect(drawn.nodes.map(({ id }) => id)).toEqual(["/n/"]);
  });
});

describe("a flow that runs down", () => {
  it("has the ends of its links above and below its cards, in the middle", () => {
    const flow = nested();
    const { nodes, edges } = toCanvas(input(flow, { arrangement: arrangeFlow(flow, { pins: {}, direction: "down" }) }));
    const plan = nodes.find((node) => node.id === "plan");
    expect(plan?.handles).toMatchObject([
      { type: "target", position: "top", x: 104, y: -6 },
      { type: "source", position: "bottom", x: 104, y: 78 },
    ]);
    expect(plan).toMatchObject({ targetPosition: "top", sourcePosition: "bottom" });
    expect(edges.find((edge) => edge.source === "plan")?.data).toMatchObject({ fromLength: 84 });
  });
});

describe("what is not mounted", () => {
  it("has no elements and no links, and keeps the objects of what stays", () => {
    const all = toCanvas(input(nested()));
    const flow = all.input?.flow ?? nested();
    const some = toCanvas({ ...input(flow), ...all.input, mounted: new Set(["plan", "review"]) }, all);
    expect(some.nodes.map((node) => node.id)).toEqual(["/zone", "plan", "review"]);
    expect(some.edges.map((edge) => edge.id)).toEqual(["plan//review"]);
    for (const node of some.nodes) expect(all.nodes).toContain(node);
  });

  it("leaves nothing at all to draw when nothing is mounted", () => {
    expect(toCanvas(input(nested(), { mounted: new Set() }))).toMatchObject({ nodes: [], edges: [] });
  });
});
