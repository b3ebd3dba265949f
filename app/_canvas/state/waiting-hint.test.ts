import { describe, expect, it } from "vitest";
import { nodeStatus } from "@/app/_canvas/state/test-status";
import { emptyLayout } from "@/lib/core/flow/edit";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import type { RunStatus } from "@/lib/core/run/events/run-status";
import type { NodeStatus } from "@/lib/core/trace/model/node-statuses";
import { describeWaiting } from "./waiting-hint";

const arrangement = arrangeFlow(flowOf("a >> (b | c | d) >> e >> f"), emptyLayout);
const hint = (key: string, statuses: Record<string, RunStatus>): string =>
  describeWaiting(
    arrangement,
    new Map(Object.entries(statuses).map(([name, status]): [string, NodeStatus] => [name, nodeStatus(status)])),
    key,
  );

describe("why a node has not begun", () => {
  it.each<[string, string, Record<string, RunStatus>]>([
    ["waits for 2", "e", { "": "RUNNING", a: "SUCCESS", b: "RUNNING", c: "RUNNING", d: "SUCCESS" }],
    ["waits for 1", "b", { "": "RUNNING", a: "RUNNING" }],
    ["not started", "f", { "": "RUNNING", a: "RUNNING" }],
    ["not started", "b", { "": "RUNNING", a: "SUCCESS" }],
    ["not started", "a", { "": "RUNNING" }],
    ["not run", "e", { "": "FAILED", a: "SUCCESS", b: "FAILED" }],
  ])("%s: %s", (expected, key, statuses) => {
    expect(hint(key, statuses)).toBe(expected);
  });
});
