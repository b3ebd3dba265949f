import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyLayout, type Layout } from "../flow/edit";
import { anyFlow } from "../source/read/source.arbitrary";
import { readSource } from "../source/read-source";
import { arrangeFlow } from "./arrange-flow";
import { turnLayout } from "./turn-layout";

const { flow } = readSource(`agents: { a: {}, b: {}, c: {}, d: {} }
groups: { pair: { type: parallel, flow: b | c } }
swarm: { flow: a >> pair >> d }
`);
const anyShift = fc.integer({ min: -400, max: 400 });

describe("turnLayout", () => {
  it("keeps the distance along and across the flow where there is room", () => {
    const { layout, restored } = turnLayout(flow, { pins: { a: { dx: -300, dy: 40 } } }, "down");
    expect([layout, restored]).toEqual([{ direction: "down", pins: { a: { dx: 40, dy: -300 } } }, []]);
  });

  it("returns a card to its place that would lie on another, or on a frame", () => {
    const right = arrangeFlow(flow, emptyLayout);
    const [a, pair] = ["a", "pair"].map((key) => right.nodes.find((node) => node.key === key));
    const onFrame = { dx: (pair?.x ?? 0) - (a?.x ?? 0), dy: 600 };
    const free = { dx: -300, dy: 0 };
    const { layout, restored } = turnLayout(flow, { pins: { a: free, d: onFrame } }, "down");
    expect(layout.pins.a).toEqual({ dx: 0, dy: -300 });
    const down = arrangeFlow(flow, layout);
    expect(restored.length + Object.keys(layout.pins).length).toBe(2);
    expect(down.direction).toBe("down");
  });

  it("changes no pin where the direction stays", () => {
    const pins = { a: { dx: 3, dy: 4 } };
    expect(turnLayout(flow, { pins, direction: "down" }, "down").layout.pins).toBe(pins);
  });

  it("law: after a change of direction no pinned card overlaps a card or a frame that does not contain it", () => {
    fc.assert(
      fc.property(
        anyFlow,
        fc.constantFrom("right" as const, "down" as const),
        fc.array(fc.tuple(fc.nat(), anyShift, anyShift), { minLength: 1, maxLength: 6 }),
        (anyOne, direction, shifts) => {
          const keys = arrangeFlow(anyOne, { pins: {}, direction }).nodes.map(({ key }) => key);
          if (keys.length === 0) return;
          const pins: Layout["pins"] = Object.fromEntries(
            shifts.map(([index, dx, dy]) => [keys[index % keys.length] ?? "", { dx, dy }]),
          );
          const turned = direction === "right" ? "down" : "right";
          const { layout, restored } = turnLayout(anyOne, { pins, direction }, turned);
          expect([...restored, ...Object.keys(layout.pins)].toSorted()).toEqual(Object.keys(pins).toSorted());
          const { nodes } = arrangeFlow(anyOne, layout);
          const pinned = nodes.filter(({ key }) => Object.hasOwn(layout.pins, key));
          for (const card of pinned)
            for (const other of nodes) {
              const isRelated = `${card.key}/`.startsWith(`${other.key}/`) || other.key.startsWith(`${card.key}/`);
              const isApart =
                card.x >= other.x + other.width ||
                other.x >= card.x + card.width ||
                card.y >= other.y + other.height ||
                other.y >= card.y + card.height;
              expect([card.key, other.key, isRelated || isApart]).toEqual([card.key, other.key, true]);
            }
        },
      ),
    );
  });
});
