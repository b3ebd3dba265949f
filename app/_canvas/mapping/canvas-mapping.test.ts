import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { toLinkPoints } from "@/lib/core/layout/scene/link-points";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import { readSource } from "@/lib/core/source/read-source";
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
    expect(nodes[member]).toMatchObject({ parentId: "review", type: "agent", position: { x: 20, y: 32 } });
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
    expect(after.nodes.find((node) => node.id === "a")).toMatchObject({
      position: { x: 500, y: 9 },
      selected: true,
      // Above what it was dropped on.
      zIndex: 1,
    });
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
      { type: "target", position: "top", x: 98, y: -6 },
      { type: "source", position: "bottom", x: 98, y: 142 },
    ]);
    expect(plan).toMatchObject({ targetPosition: "top", sourcePosition: "bottom" });
    expect(edges.find((edge) => edge.source === "plan")?.data).toMatchObject({ sourceSize: { height: 148 } });
  });
});

const read = (swarms: string) => input(readSource(`agents: { a: {}, b: {}, c: {}, d: {} }\n${swarms}`).flow);
const dataOf = ({ edges }: ReturnType<typeof toCanvas>) => new Map(edges.map(({ id, data }) => [id, data] as const));

describe("the lines of a construct", () => {
  it("lead from the diamond of a branch to its lanes, and from those to its end, and cannot be selected", () => {
    const { edges, nodes } = toCanvas(
      read("branches: { q: { condition: 'true', if_true: a >> b, if_false: c } }\nswarm: { flow: q >> d }\n"),
    );
    const lines = edges.filter(({ selectable }) => selectable === false);
    expect(lines.map(({ source, target, data }) => [data?.type, source, target, data?.label])).toEqual([
      ["lane", "q", "q/a", "yes"],
      ["lane", "q", "q/c", "no"],
      ["lane-end", "q/b", "q", ""],
      ["lane-end", "q/c", "q", ""],
    ]);
    expect(nodes.find(({ id }) => id === "q")?.data).toMatchObject({ shape: "diamond", condition: "true" });
    expect(edges.filter(({ selectable }) => selectable !== false).map(({ id }) => id)).toEqual(["q/a//q/b", "q//d"]);
  });

  it("lead past the only lane of a branch, inside of its frame", () => {
    const start = read("branches: { q: { condition: 'true', if_true: a } }\nswarm: { flow: q >> d }\n");
    const bypass = dataOf(toCanvas(start)).get("/bypass/q/a//q");
    const [frame, lane] = ["q", "q/a"].map((id) => start.arrangement.nodes.find(({ key }) => key === id));
    if (!bypass || !frame || !lane) throw new Error("the branch has no way past its lane");
    expect(bypass.label).toBe("no");
    const points = toLinkPoints({ source: lane, target: frame, down: false }, bypass.route);
    const lowest = Math.max(...points.map(({ y }) => y));
    expect(lowest).toBeGreaterThan(lane.y + lane.height + 4);
    expect(lowest).toBeLessThan(frame.y + frame.height);
  });

  it("lead around the cards of a loop back to its first, inside of its frame", () => {
    for (const direction of ["right", "down"] as const) {
      const start = read("loops: { l: { body: a >> b, while: 'true', limit: 3 } }\nswarm: { flow: l >> d }\n");
      const arrangement = arrangeFlow(start.flow, { pins: {}, direction });
      const drawn = toCanvas({ ...start, arrangement });
      const back = dataOf(drawn).get("/back/l/b//l/a");
      const [frame, last] = ["l", "l/b"].map((id) => arrangement.nodes.find(({ key }) => key === id));
      if (back?.route.type !== "around" || !frame || !last) throw new Error("there is no way back");
      const middle = direction === "right" ? last.y + last.height / 2 : last.x + last.width / 2;
      const [low, cards] = direction === "right" ? [frame.y, last.y] : [frame.x, last.x];
      expect(middle + back.route.at).toBeGreaterThan(low + 12);
      expect(middle + back.route.at).toBeLessThan(cards - 12);
      expect(drawn.nodes.find(({ id }) => id === "l")?.data).toMatchObject({
        condition: "while true",
        limit: "at most 3 rounds",
      });
    }
  });

  it("are one line for two handoffs there and back", () => {
    const data = dataOf(
      toCanvas(read("swarm: { type: handoff, agents: [a, b, c], edges: [[a, b], [b, a], [b, c]] }\n")),
    );
    expect([...data].map(([id, link]) => [id, link?.isPaired])).toEqual([
      ["a//b", true],
      ["b//a", true],
      ["b//c", false],
    ]);
  });
});

describe("the members of a swarm", () => {
  const rolesOf = (swarm: string) => {
    const { nodes } = toCanvas(read(swarm));
    return Object.fromEntries(nodes.flatMap(({ id, data }) => ("role" in data ? [[id, data.role]] : [])));
  };

  it("are marked where they start or lead, also in a nested swarm", () => {
    expect(rolesOf("swarm: { type: handoff, agents: [b, a] }\n")).toMatchObject({ a: "none", b: "start", c: "none" });
    expect(rolesOf("swarm: { type: team, agents: [b, a] }\n")).toMatchObject({ a: "worker", b: "lead" });
    expect(rolesOf("swarm: { type: orchestrate, agents: [b, a] }\n")).toMatchObject({ a: "spawned", b: "lead" });
    expect(rolesOf("swarms: { s: { type: team, agents: [b, a] } }\nswarm: { flow: c >> s }\n")).toMatchObject({
      c: "none",
      "s/b": "lead",
      "s/a": "worker",
    });
  });

  it("have a frame with the limit around them when they are the flow itself", () => {
    const find = (swarm: string) => toCanvas(read(swarm)).nodes.find(({ type }) => type === "swarmFrame")?.data;
    expect(find("swarm: { type: handoff, agents: [b, a] }\n")).toEqual({
      mode: "handoff",
      limit: "at most 10 handoffs",
    });
    expect(find("swarm: { type: orchestrate, agents: [a], max_concurrent: 3 }\n")).toMatchObject({
      limit: "at most 3 at once",
    });
    expect(find("swarm: { flow: a >> b }\n")).toBeUndefined();
  });

  it("of a team are below its lead, with spokes from its lower side", () => {
    const { nodes, edges } = toCanvas(read("swarm: { type: team, agents: [a, b, c] }\n"));
    expect(nodes.find(({ id }) => id === "a")).toMatchObject({ sourcePosition: "bottom" });
    expect(nodes.find(({ id }) => id === "b")).toMatchObject({ targetPosition: "top" });
    expect(edges.map(({ data }) => data?.route.type)).toEqual(["spoke", "spoke"]);
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
