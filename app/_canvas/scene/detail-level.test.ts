import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import type { CanvasBox } from "@/lib/core/layout/scene/canvas-box";
import { type Scene, sceneOf } from "@/lib/core/layout/scene/scene";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import { chooseDetailLevel, type DetailLevel, maxMounted } from "./detail-level";

/** Lanes of agents side by side: as many rows and columns of cards. */
function gridOf(rows: number, columns: number, dsl = (lanes: string[]) => `(${lanes.join(" | ")})`): Scene {
  const lanes = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => `a${row}_${column}`).join(" >> "),
  );
  return sceneOf(arrangeFlow(flowOf(dsl(lanes)), emptyLayout));
}

const large = gridOf(40, 40);
const all: CanvasBox = { x: 0, y: 0, width: large.arrangement.width, height: large.arrangement.height };
const near: CanvasBox = { x: 5000, y: 1800, width: 1440, height: 900 };
const keysOf = (stage: DetailLevel | null): readonly string[] => (stage?.type === "cards" ? stage.keys : []);

describe("chooseStage", () => {
  it("is one picture of many, cards of few, and more cards than are seen", () => {
    expect(chooseDetailLevel(large, all, null)).toEqual({ type: "overview" });
    const stage = chooseDetailLevel(large, near, null);
    const seen = large.findIn(near).map((position) => large.nodes[position]?.key);
    expect(keysOf(stage)).toEqual(expect.arrayContaining(seen));
    expect(keysOf(stage).length).toBeGreaterThan(seen.length * 1.5);
  });

  it("stays as it is between the limits, whichever way the view came", () => {
    const between: CanvasBox = { x: 5000, y: 1800, width: 3600, height: 2400 };
    const count = large.findIn(between).length;
    expect([count > 160, count <= 220]).toEqual([true, true]);
    const overview = chooseDetailLevel(large, all, null);
    expect(chooseDetailLevel(large, between, overview)).toBe(overview);
    expect(chooseDetailLevel(large, between, chooseDetailLevel(large, near, null)).type).toBe("cards");
    expect(chooseDetailLevel(large, near, overview).type).toBe("cards");
  });

  it("keeps the very object while the view moves inside the margin, and not beyond", () => {
    const stage = chooseDetailLevel(large, near, null);
    expect(chooseDetailLevel(large, { ...near, x: near.x + 200 }, stage)).toBe(stage);
    const far = chooseDetailLevel(large, { ...near, x: near.x + 900 }, stage);
    expect(far).not.toBe(stage);
    expect(chooseDetailLevel(large, { ...near, width: near.width / 3, height: near.height / 3 }, stage)).not.toBe(
      stage,
    );
  });

  it("counts links too: a few cards with a thousand links between them are one picture", () => {
    const wide = Array.from({ length: 6 }, (_, rank) =>
      Array.from({ length: 20 }, (_, lane) => `a${rank}_${lane}`).join(" | "),
    );
    const scene = sceneOf(arrangeFlow(flowOf(wide.map((rank) => `(${rank})`).join(" >> ")), emptyLayout));
    const { width, height } = scene.arrangement;
    expect(scene.nodes.length).toBeLessThan(160);
    expect(chooseDetailLevel(scene, { x: 0, y: 0, width, height }, null).type).toBe("overview");
    expect(chooseDetailLevel(scene, { x: 0, y: 0, width: 700, height }, null).type).toBe("cards");
  });

  it("property: never mounts more than the limit, a node never without its frame, nothing that is seen left out", () => {
    const inner = Array.from({ length: 30 }, (_, i) => `m${i}`).join(" | ");
    const scene = sceneOf(
      arrangeFlow(
        flowOf(`(${Array.from({ length: 12 }, (_, i) => `s${i} >> outer >> t${i}`).join(" | ")})`, {
          outer: ["serial", "before >> inner >> after"],
          inner: ["parallel", inner],
        }),
        emptyLayout,
      ),
    );
    const { width, height } = scene.arrangement;
    const part = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(part, part, part), { minLength: 1, maxLength: 8 }), (views) => {
        let stage: DetailLevel | null = null;
        for (const [x, y, size] of views) {
          const view = { x: x * width, y: y * height, width: size * width, height: size * height };
          stage = chooseDetailLevel(scene, view, stage);
          if (stage.type === "overview") continue;
          const keys = new Set(stage.keys);
          expect(keys.size).toBe(stage.keys.length);
          expect(keys.size).toBeLessThanOrEqual(maxMounted);
          stage.keys.forEach((key, index) => {
            const parent = scene.nodes[scene.positions.get(key) ?? -1]?.parent;
            if (parent !== undefined) expect(stage?.type === "cards" && stage.keys.indexOf(parent)).toBeLessThan(index);
          });
          for (const position of scene.findIn(view)) expect(keys).toContain(scene.nodes[position]?.key);
        }
      }),
    );
  });
});
