import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyLayout, type Layout } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import { anyFlow } from "@/lib/core/source/read/source.arbitrary";
import { type ArrangedFlow, findNeighbour, findOutermost, readingOrder } from "./navigation";
import type { ArrowDirection } from "./nearest";

const pictureOf = (flow: Flow, layout: Layout = emptyLayout): ArrangedFlow => ({
  flow,
  layout,
  arrangement: arrangeFlow(flow, layout),
});
const picture = (...flow: Parameters<typeof flowOf>) => pictureOf(flowOf(...flow));
const walk = (shown: ArrangedFlow, from: string | null, ...steps: ArrowDirection[]) =>
  steps.reduce<string | null>((key, step) => findNeighbour(shown, key, step) ?? key, from);

const directions = ["right", "down", "left", "up"] as const;
const reached = (shown: ArrangedFlow): Set<string> => {
  const seen = new Set<string>();
  const queue = [findOutermost(shown, false)];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    if (key === null || seen.has(key)) continue;
    seen.add(key);
    for (const step of directions) queue.push(findNeighbour(shown, key, step));
  }
  return seen;
};

describe("findNeighbour", () => {
  const fan = picture("plan >> (ann | ben >> bea | cat) >> write");

  it("starts at the first node", () => {
    expect(findNeighbour(fan, null, "right")).toBe("plan");
    expect(findNeighbour(picture(""), null, "right")).toBeNull();
  });

  it("follows the links with right and left, and goes to the lane beside with down and up", () => {
    expect(walk(fan, "plan", "right")).toBe("ben");
    expect(walk(fan, "ben", "up")).toBe("ann");
    expect(walk(fan, "ben", "right")).toBe("bea");
    expect(walk(fan, "bea", "down")).toBe("cat");
    expect(walk(fan, "cat", "right")).toBe("write");
    expect(walk(fan, "write", "left")).toBe("bea");
    expect(walk(fan, "bea", "left", "left")).toBe("plan");
    for (const [key, step] of [
      ["ann", "up"],
      ["plan", "down"],
      ["plan", "left"],
      ["write", "right"],
    ] as const)
      expect([key, step, findNeighbour(fan, key, step)]).toEqual([key, step, null]);
  });

  it("turns with the flow", () => {
    const down = pictureOf(flowOf("plan >> (ann | ben | cat) >> write"), { pins: {}, direction: "down" });
    expect(walk(down, "plan", "down")).toBe("ben");
    expect(walk(down, "ben", "right")).toBe("cat");
    expect(walk(down, "ben", "left")).toBe("ann");
    expect(walk(down, "ann", "down")).toBe("write");
    expect(walk(down, "write", "up", "up")).toBe("plan");
    expect(readingOrder(down.arrangement).map((node) => node.key)).toEqual(["plan", "ann", "ben", "cat", "write"]);
  });

  it("follows the link where the next card is not in the direction of the arrow", () => {
    const bent = pictureOf(flowOf("a >> b"), { pins: { b: { dx: -400, dy: 300 } } });
    expect(walk(bent, "a", "right")).toBe("b");
    expect(walk(bent, "b", "left")).toBe("a");
  });

  it("goes to the card that is nearest, wherever it was dragged", () => {
    const { arrangement } = picture("(a | b | c)");
    const [top, bottom] = [arrangement.nodes[0], arrangement.nodes[2]];
    const swap = (bottom?.y ?? 0) - (top?.y ?? 0);
    const dragged = pictureOf(flowOf("(a | b | c)"), { pins: { a: { dx: 0, dy: swap }, c: { dx: 0, dy: -swap } } });
    expect(walk(dragged, "c", "down")).toBe("b");
    expect(walk(dragged, "c", "down", "down")).toBe("a");
  });

  it("enters frames forward, leaves them backward, and goes on to what waits beside the flow", () => {
    const framed = picture("plan >> review >> end", { review: ["parallel", "ann | ben"] }, ["idle"]);
    expect(walk(framed, "plan", "right")).toBe("review");
    expect(walk(framed, "review", "right")).toBe("review/ann");
    expect(walk(framed, "review/ann", "down")).toBe("review/ben");
    expect(walk(framed, "review/ben", "right")).toBe("end");
    expect(walk(framed, "end", "left", "left")).toBe("review");
    expect(walk(framed, "review", "left")).toBe("plan");
    expect(walk(framed, "end", "right")).toBe("idle");
    expect(walk(framed, "idle", "left")).toBe("end");
  });

  it("continues to the notes after all nodes", () => {
    const note = { x: -400, y: 0, width: 200, height: 100, text: "", color: "blue" } as const;
    const noted = pictureOf(flowOf("plan >> write", {}, ["idle"]), {
      pins: {},
      notes: { n: note, m: { ...note, y: 500 } },
    });
    expect(walk(noted, "write", "right", "right")).toBe("/n/");
    expect(walk(noted, "/n/", "down")).toBe("/m/");
    expect(walk(noted, "/n/", "right")).toBe("plan");
    expect(findOutermost(noted, true)).toBe("/m/");
  });

  it.each([
    ["right", undefined],
    ["down", undefined],
    ["right", 700],
    ["down", 500],
  ] as const)("property: reaches every card with the arrows alone, running %s in lines of %s", (direction, wrap) => {
    fc.assert(
      fc.property(anyFlow, (flow) => {
        const layout: Layout = { pins: {}, direction };
        const shown = { flow, layout, arrangement: arrangeFlow(flow, layout, { direction, wrap }) };
        const seen = reached(shown);
        expect(shown.arrangement.nodes.filter(({ key }) => !seen.has(key)).map(({ key }) => key)).toEqual([]);
      }),
    );
  });

  it("property: a step never stays, and leads to what is in the picture", () => {
    fc.assert(
      fc.property(anyFlow, fc.constantFrom(...directions), (flow, step) => {
        const shown = pictureOf(flow);
        const keys = new Set(shown.arrangement.nodes.map(({ key }) => key));
        for (const key of keys) {
          const next = findNeighbour(shown, key, step);
          expect(next).not.toBe(key);
          if (next !== null) expect(keys.has(next)).toBe(true);
        }
      }),
    );
  });
});
