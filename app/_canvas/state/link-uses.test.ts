import { describe, expect, it } from "vitest";
import { nodeStatus } from "@/app/_canvas/state/test-status";
import type { LinkType } from "@/lib/core/layout/scene/drawn-links";
import type { RunStatus } from "@/lib/core/run/events/run-status";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";
import { countLinkUses } from "./link-uses";

const statusesOf = (runs: Record<string, [status: RunStatus, runs: number]>): NodeStatuses =>
  new Map(Object.entries(runs).map(([key, [status, count]]) => [key, nodeStatus(status, count)]));
const count = (statuses: NodeStatuses, type: LinkType, source = "a", target = "b"): number =>
  countLinkUses(statuses, { id: `${source}//${target}`, source, target, data: { type } });

describe("how often a run took a link", () => {
  it.each<[string, Record<string, [RunStatus, number]>, number]>([
    ["not before its target began", { a: ["SUCCESS", 1] }, 0],
    ["not from a source that still runs", { a: ["RUNNING", 1], b: ["RUNNING", 1] }, 0],
    ["once in each round", { a: ["SUCCESS", 3], b: ["RUNNING", 3] }, 3],
    ["not yet in a round that has only begun", { a: ["RUNNING", 3], b: ["SUCCESS", 2] }, 2],
    ["after a failure that the flow went on from", { a: ["FAILED", 1], b: ["SUCCESS", 1] }, 1],
  ])("counts a link of a workflow %s", (_, runs, uses) => {
    expect(count(statusesOf(runs), "flow")).toBe(uses);
  });

  it("counts handoffs on their own link, calls by the worker, and no drafts", () => {
    const statuses = statusesOf({ a: ["SUCCESS", 1], b: ["SUCCESS", 2], "a//b": ["SUCCESS", 4] });
    expect([
      count(statuses, "handoff"),
      count(statuses, "delegate"),
      count(statuses, "spawn"),
      count(statuses, "draft"),
    ]).toEqual([4, 2, 2, 0]);
    expect(count(statuses, "handoff", "b", "a")).toBe(0);
  });

  it("counts the lane that a branch took, and its end once that is over", () => {
    const statuses = statusesOf({ q: ["RUNNING", 1], "q/a": ["RUNNING", 1] });
    expect(count(statuses, "lane", "q", "q/a")).toBe(1);
    expect(count(statuses, "lane", "q", "q/b")).toBe(0);
    expect(count(statuses, "lane-end", "q/a", "q")).toBe(0);
    expect(count(statusesOf({ q: ["SUCCESS", 1], "q/a": ["SUCCESS", 1] }), "lane-end", "q/a", "q")).toBe(1);
  });

  it("counts the way past the only lane of a branch once the branch is over without it", () => {
    expect(count(statusesOf({ q: ["RUNNING", 1] }), "bypass", "q/a", "q")).toBe(0);
    expect(count(statusesOf({ q: ["SUCCESS", 3], "q/a": ["SUCCESS", 1] }), "bypass", "q/a", "q")).toBe(2);
  });

  it("counts the way back of a loop: one less than the rounds, each time that it ran", () => {
    expect(count(statusesOf({ l: ["SUCCESS", 1], "l/a": ["SUCCESS", 3] }), "back", "l/b", "l/a")).toBe(2);
    expect(count(statusesOf({ l: ["SUCCESS", 2], "l/a": ["SUCCESS", 5] }), "back", "l/b", "l/a")).toBe(3);
    expect(count(statusesOf({ l: ["RUNNING", 1], "l/a": ["RUNNING", 1] }), "back", "l/b", "l/a")).toBe(0);
  });
});
