import { describe, expect, it } from "vitest";
import { nodeStatus } from "@/app/_canvas/state/test-status";
import { emptyLayout } from "@/lib/core/flow/edit";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import type { RunStatus } from "@/lib/core/run/events/run-status";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";
import { findRunning, isLiveRun, toFollowingView } from "./follow-view";

const view = { x: 0, y: 0, zoom: 1, width: 1000, height: 600 };
const card = { x: 100, y: 100, width: 200, height: 100 };
const statusesOf = (statuses: Record<string, RunStatus>): NodeStatuses =>
  new Map(Object.entries(statuses).map(([key, status]) => [key, nodeStatus(status)]));

describe("the view that follows a run", () => {
  it("stays where the running steps are in view", () => {
    expect(toFollowingView([card, { ...card, x: 700 }], view)).toBeNull();
    expect(toFollowingView([], view)).toBeNull();
  });

  it("moves only along the axis on which a step is outside", () => {
    expect(toFollowingView([{ ...card, x: 1500 }], view)).toEqual({ x: -1100, y: 0 });
    expect(toFollowingView([{ ...card, y: -300 }], view)).toEqual({ x: 0, y: 528 });
  });

  it("shows all running steps at once, or the last where they are too far apart", () => {
    const both = toFollowingView([card, { ...card, x: 820 }], view);
    expect(both).toEqual({ x: -60, y: 0 });
    expect(toFollowingView([card, { ...card, x: 3000 }], view)).toEqual({ x: -2600, y: 0 });
  });

  it("keeps the scale", () => {
    const next = toFollowingView([{ ...card, x: 3000 }], { ...view, zoom: 0.5 });
    expect(next).toEqual({ x: 500 - (3000 + 100) * 0.5, y: 0 });
  });

  it("stays at the start of a step that is larger than the view", () => {
    const large = { x: 777.7, y: 100, width: 8000, height: 100 };
    const next = toFollowingView([large], { ...view, x: 0.1, zoom: 0.33 });
    expect(next).not.toBeNull();
    expect(toFollowingView([large], { ...view, ...next, zoom: 0.33 })).toBeNull();
  });

  it("looks at cards, not at frames, and at what has not ended", () => {
    const flow = flowOf("a >> pair >> c", { pair: ["parallel", "x | y"] });
    const nodes = indexNodes(arrangeFlow(flow, emptyLayout));
    const statuses = statusesOf({
      "": "RUNNING",
      a: "SUCCESS",
      pair: "RUNNING",
      "pair/x": "RUNNING",
      "pair/y": "WAITING",
      c: "INIT",
    });
    expect(findRunning(statuses, nodes)).toEqual([nodes.get("pair/x"), nodes.get("pair/y")]);
    expect([isLiveRun(statuses), isLiveRun(statusesOf({ a: "SUCCESS", c: "FAILED" }))]).toEqual([true, false]);
  });
});
