import { describe, expect, it } from "vitest";
import { arrangeFlow } from "@/lib/core/flow/arrange";
import { emptyLayout } from "@/lib/core/flow/edit";
import { readCanvasKey } from "./canvas-keys";
import { type Direction, findNeighbour, readingOrder } from "./navigation";
import { flowOf } from "./test-flow";

const arrange = (...flow: Parameters<typeof flowOf>) => arrangeFlow(flowOf(...flow), emptyLayout);
const walk = (arrangement: ReturnType<typeof arrange>, from: string | null, ...steps: Direction[]) =>
  steps.reduce<string | null>((key, step) => findNeighbour(arrangement, key, step) ?? key, from);

describe("findNeighbour", () => {
  const fan = arrange("plan >> (ann | ben | cat) >> write");

  it("starts at the first node", () => {
    expect(findNeighbour(fan, null, "right")).toBe("plan");
    expect(findNeighbour(arrange(""), null, "right")).toBeNull();
  });

  it("follows the flow with left and right, the lanes with up and down", () => {
    expect(walk(fan, "plan", "right")).toBe("ben");
    expect(walk(fan, "ben", "up")).toBe("ann");
    expect(walk(fan, "ben", "down")).toBe("cat");
    expect(walk(fan, "ann", "right")).toBe("write");
    expect(walk(fan, "write", "left")).toBe("ben");
    expect(findNeighbour(fan, "ann", "up")).toBeNull();
    expect(findNeighbour(fan, "plan", "left")).toBeNull();
  });

  it("follows a flow that runs down with down and up", () => {
    const flow = flowOf("plan >> (ann | ben | cat) >> write");
    const down = arrangeFlow(flow, { pins: {}, direction: "down" });
    expect(walk(down, "plan", "down")).toBe("ben");
    expect(walk(down, "ben", "left")).toBe("ann");
    expect(walk(down, "ben", "right")).toBe("cat");
    expect(walk(down, "ann", "down")).toBe("write");
    expect(findNeighbour(down, "ann", "left")).toBeNull();
    expect(readingOrder(down).map((node) => node.key)).toEqual(["plan", "ann", "ben", "cat", "write"]);
  });

  it("walks into frames, out of them, and on to what waits beside the flow", () => {
    const framed = arrange("plan >> review", { review: ["parallel", "ann | ben"] }, ["idle"]);
    expect(readingOrder(framed).map((node) => node.key)).toEqual([
      "plan",
      "review",
      "review/ann",
      "review/ben",
      "idle",
    ]);
    expect(walk(framed, "review", "right")).toBe("review/ann");
    expect(walk(framed, "review", "left")).toBe("plan");
    expect(walk(framed, "review/ben", "right")).toBe("idle");
    expect(walk(framed, "idle", "left")).toBe("review/ben");
  });

  it("reaches every card with the arrows alone", () => {
    const framed = arrange("a >> (b | c >> d) >> g >> e", { g: ["serial", "x >> y"] }, ["idle", "more"]);
    const seen = new Set<string>(["a"]);
    const queue = ["a"];
    for (let key = queue.pop(); key !== undefined; key = queue.pop())
      for (const step of ["right", "down", "left", "up"] as const) {
        const next = findNeighbour(framed, key, step);
        if (next !== null && !seen.has(next)) {
          seen.add(next);
          queue.push(next);
        }
      }
    expect(framed.nodes.filter((node) => !node.frame && !seen.has(node.key))).toEqual([]);
  });
});

describe("readCanvasKey", () => {
  const stroke = { code: "", ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
  it("redoes with Ctrl+Shift+Z whatever case the letter has", () => {
    for (const key of ["z", "Z"])
      expect(readCanvasKey({ ...stroke, key, ctrlKey: true, shiftKey: true })).toEqual({ type: "redo" });
    expect(readCanvasKey({ ...stroke, key: "z", metaKey: true })).toEqual({ type: "undo" });
    expect(readCanvasKey({ ...stroke, key: "y", ctrlKey: true })).toEqual({ type: "redo" });
  });

  it("nudges with Alt and Shift", () => {
    expect(readCanvasKey({ ...stroke, key: "ArrowUp", altKey: true, shiftKey: true })).toEqual({
      type: "nudge",
      direction: "up",
    });
  });

  it("leaves the browser its keys", () => {
    for (const key of ["r", "t", "w"]) expect(readCanvasKey({ ...stroke, key, ctrlKey: true })).toBeNull();
    expect(readCanvasKey({ ...stroke, key: "ArrowLeft", altKey: true })).toBeNull();
    expect(readCanvasKey({ ...stroke, key: "Tab" })).toBeNull();
    expect(readCanvasKey({ ...stroke, key: "constructor" })).toBeNull();
  });
});
