import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { type Outline, outlineFlow } from "@/lib/core/layout/outline";
import { anyFlow } from "@/lib/core/source/read/source.arbitrary";
import { flowOf } from "../scene/test-flow";
import { type ArrowDirection, findNeighbour, findOutermost, readingOrder } from "./navigation";

const outline = (...flow: Parameters<typeof flowOf>) => outlineFlow(flowOf(...flow));
const walk = (flow: Outline, from: string | null, ...steps: ArrowDirection[]) =>
  steps.reduce<string | null>((key, step) => findNeighbour(flow, key, step) ?? key, from);

describe("findNeighbour", () => {
  const fan = outline("plan >> (ann | ben >> bea | cat) >> write");

  it("starts at the first node", () => {
    expect(findNeighbour(fan, null, "down")).toBe("plan");
    expect(findNeighbour(outline(""), null, "down")).toBeNull();
  });

  it("follows the series with down and up, the lanes with right and left", () => {
    expect(walk(fan, "plan", "down")).toBe("ann");
    expect(walk(fan, "ann", "right")).toBe("ben");
    expect(walk(fan, "ben", "down")).toBe("bea");
    expect(walk(fan, "bea", "right")).toBe("cat");
    expect(walk(fan, "cat", "down")).toBe("write");
    expect(walk(fan, "write", "up")).toBe("ann");
    expect(walk(fan, "bea", "up", "left", "up")).toBe("plan");
    expect(findNeighbour(fan, "ann", "left")).toBeNull();
    expect(findNeighbour(fan, "plan", "right")).toBeNull();
    expect(findNeighbour(fan, "plan", "up")).toBeNull();
    expect(findNeighbour(fan, "write", "down")).toBeNull();
  });

  it("goes to the same step of the lane beside, as far as there is one", () => {
    const lanes = outline("(a >> b >> c | d >> e)");
    expect(walk(lanes, "b", "right")).toBe("e");
    expect(walk(lanes, "c", "right")).toBe("e");
    expect(walk(lanes, "e", "left")).toBe("b");
  });

  it("reads a picture that runs down row by row", () => {
    const down = arrangeFlow(flowOf("plan >> (ann | ben | cat) >> write"), { pins: {}, direction: "down" });
    expect(readingOrder(down).map((node) => node.key)).toEqual(["plan", "ann", "ben", "cat", "write"]);
  });

  it("walks into frames, out of them, and on to what waits beside the flow", () => {
    const framed = outline("plan >> review >> end", { review: ["parallel", "ann | ben"] }, ["idle"]);
    expect(walk(framed, "plan", "down")).toBe("review");
    expect(walk(framed, "review", "down")).toBe("review/ann");
    expect(walk(framed, "review/ben", "down")).toBe("end");
    expect(walk(framed, "end", "up", "up")).toBe("review");
    expect(walk(framed, "end", "down")).toBe("idle");
    expect(walk(framed, "idle", "up")).toBe("end");
  });

  it("continues to the notes after all nodes", () => {
    const note = { x: 0, y: 0, width: 200, height: 100, text: "", color: "blue" } as const;
    const noted = outlineFlow(flowOf("plan >> write", {}, ["idle"]), { n: note, m: note });
    expect(walk(noted, "write", "down", "down")).toBe("/n/");
    expect(walk(noted, "/n/", "down")).toBe("/m/");
    expect(walk(noted, "/n/", "up")).toBe("idle");
    expect(findOutermost(noted, true)).toBe("/m/");
  });

  it("reaches every card with the arrows alone", () => {
    fc.assert(
      fc.property(anyFlow, (flow) => {
        const { nodes } = arrangeFlow(flow, emptyLayout);
        const seen = new Set<string>();
        const queue = [findOutermost(outlineFlow(flow), false)];
        for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
          if (key === null || seen.has(key)) continue;
          seen.add(key);
          for (const step of ["right", "down", "left", "up"] as const)
            queue.push(findNeighbour(outlineFlow(flow), key, step));
        }
        expect(nodes.filter(({ key }) => !seen.has(key))).toEqual([]);
      }),
    );
  });
});
