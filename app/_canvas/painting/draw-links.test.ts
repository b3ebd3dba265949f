import { describe, expect, it } from "vitest";
import { nodeStatus } from "@/app/_canvas/state/test-status";
import { emptyLayout } from "@/lib/core/flow/edit";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { sceneOf } from "@/lib/core/layout/scene/scene";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";
import { drawLinks, drawTakenLinks } from "./draw-links";

/** Records the colour and the corners of each line. */
function recordLines(draw: (drawing: Parameters<typeof drawLinks>[0]) => void, statuses: NodeStatuses) {
  const lines: { color: string; width: number; starts: number; corners: number }[] = [];
  let current = { starts: 0, corners: 0 };
  const context = {
    strokeStyle: "",
    lineWidth: 0,
    beginPath: () => {
      current = { starts: 0, corners: 0 };
    },
    moveTo: () => {
      current.starts++;
    },
    lineTo: () => {
      current.corners++;
    },
    stroke: () => {
      lines.push({ color: context.strokeStyle, width: context.lineWidth, ...current });
    },
  };
  const scene = sceneOf(arrangeFlow(flowOf("a >> (b | c) >> d"), emptyLayout));
  const viewpoint = { x: 0, y: 0, zoom: 0.5, width: 1000, height: 600, dragged: null };
  draw({ ...viewpoint, context, scene, statuses, colors: { link: "grey", taken: "blue" } });
  return lines;
}

const status = (runs: number) => nodeStatus("SUCCESS", runs);

const manyAgents = Array.from({ length: 900 }, (_, number) => `a${number}`).join(" >> ");

/** The longest steps of the lines of a large flow, in pixels along both axes at once: 0 is right-angled. */
function findSlant(wrap: number): number {
  const arrangement = arrangeFlow(flowOf(manyAgents), emptyLayout, { direction: "right", density: "compact", wrap });
  const scene = sceneOf(arrangement);
  let [last, slant] = [{ x: 0, y: 0 }, 0];
  const context = {
    strokeStyle: "",
    lineWidth: 0,
    beginPath: () => undefined,
    stroke: () => undefined,
    moveTo: (x: number, y: number) => {
      last = { x, y };
    },
    lineTo: (x: number, y: number) => {
      slant = Math.max(slant, Math.min(Math.abs(x - last.x), Math.abs(y - last.y)));
      last = { x, y };
    },
  };
  const viewpoint = { x: 0, y: 0, zoom: 0.1, width: 1000, height: 600, dragged: null };
  const colors = { link: "grey", taken: "blue" };
  drawLinks({ ...viewpoint, context, scene, statuses: new Map(), colors }, [...scene.nodes.keys()]);
  return slant;
}

describe("the links of the painted overview", () => {
  it("are right-angled, in the colours of the canvas, with those that the run took on top", () => {
    const all = [0, 1, 2, 3];
    expect(recordLines((drawing) => drawLinks(drawing, all), new Map())).toEqual([
      { color: "grey", width: 1, starts: 4, corners: 12 },
    ]);
    const statuses = new Map([
      ["a", status(1)],
      ["b", status(1)],
    ]);
    expect(recordLines((drawing) => drawLinks(drawing, all), statuses)).toEqual([
      { color: "grey", width: 1, starts: 3, corners: 9 },
      { color: "blue", width: 1.25, starts: 1, corners: 3 },
    ]);
    expect(recordLines((drawing) => drawTakenLinks(drawing, [1]), statuses)).toEqual([
      { color: "blue", width: 1.25, starts: 1, corners: 3 },
    ]);
  });

  it("go around the cards to the next line, in a large flow, too", () => {
    expect(findSlant(9000)).toBeLessThan(1);
  });
});
