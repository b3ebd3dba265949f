import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { emptyLayout } from "@/lib/core/flow/edit";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import type { RunStatus } from "@/lib/core/run/events/run-status";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";
import { findRunning, toFollowingView } from "../scene/follow-view";
import { nodeStatus } from "../state/test-status";
import { followMs, followSteps } from "./follow-steps";

const names = Array.from({ length: 20 }, (_, index) => `step_${index}`);
const arrangement = arrangeFlow(flowOf(names.join(" >> ")), emptyLayout);
const statusesOf = (statuses: Record<string, RunStatus>): NodeStatuses =>
  new Map(Object.entries(statuses).map(([key, status]) => [key, nodeStatus(status)]));

/** A canvas of 20 steps in a row, of which some four are in view; moves take effect at once. */
function followedCanvas() {
  const statuses = createStore<NodeStatuses>(() => statusesOf({ step_0: "RUNNING" }));
  const flow = createStore(() => ({ arrangement }));
  const view = createStore<{ width: number; height: number; transform: [number, number, number] }>(() => ({
    width: 1000,
    height: 600,
    transform: [0, 300, 1],
  }));
  const moveTo = vi.fn(({ x, y, zoom }: { x: number; y: number; zoom: number }) =>
    view.setState({ transform: [x, y, zoom] }),
  );
  const isRunningInView = (): boolean => {
    const { width, height, transform } = view.getState();
    const [x, y, zoom] = transform;
    const running = findRunning(statuses.getState(), indexNodes(flow.getState().arrangement));
    return toFollowingView(running, { x, y, zoom, width, height }) === null;
  };
  return { statuses, flow, view, moveTo, isRunningInView };
}

describe("following the steps of a run", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("moves the view once a step begins outside of it, and then lets it be", () => {
    const canvas = followedCanvas();
    const stop = followSteps(canvas);
    vi.advanceTimersByTime(1000);
    canvas.moveTo.mockClear();
    canvas.statuses.setState(statusesOf({ step_0: "SUCCESS", step_15: "RUNNING" }), true);
    vi.advanceTimersByTime(10_000);
    expect(canvas.moveTo).toHaveBeenCalledTimes(1);
    expect(canvas.isRunningInView()).toBe(true);
    stop();
  });

  it("looks after a move for the steps that began during it", () => {
    const canvas = followedCanvas();
    const stop = followSteps(canvas);
    canvas.statuses.setState(statusesOf({ step_9: "RUNNING" }), true);
    vi.advanceTimersByTime(followMs / 2);
    canvas.statuses.setState(statusesOf({ step_9: "SUCCESS", step_18: "RUNNING" }), true);
    vi.advanceTimersByTime(1000);
    expect(canvas.isRunningInView()).toBe(true);
    stop();
  });

  it("moves back when something else moved the view or the cards while a step goes on", () => {
    const canvas = followedCanvas();
    canvas.statuses.setState(statusesOf({ step_15: "WAITING" }), true);
    const stop = followSteps(canvas);
    vi.advanceTimersByTime(1000);
    canvas.view.setState({ transform: [0, 300, 1] });
    expect(canvas.isRunningInView()).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(canvas.isRunningInView()).toBe(true);
    canvas.flow.setState({ arrangement: arrangeFlow(flowOf(names.join(" >> ")), emptyLayout, { direction: "down" }) });
    expect(canvas.isRunningInView()).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(canvas.isRunningInView()).toBe(true);
    stop();
  });

  it("moves nothing after its end, even what it was about to", () => {
    const canvas = followedCanvas();
    const stop = followSteps(canvas);
    vi.advanceTimersByTime(1000);
    canvas.moveTo.mockClear();
    canvas.statuses.setState(statusesOf({ step_15: "RUNNING" }), true);
    stop();
    canvas.statuses.setState(statusesOf({ step_19: "RUNNING" }), true);
    vi.advanceTimersByTime(1000);
    expect(canvas.moveTo).not.toHaveBeenCalled();
  });
});
