import { describe, expect, it } from "vitest";
import { noUsage } from "../../run/events/usage";
import { emptyRunState, foldEvents } from "./fold-events";
import { toNodeStatuses } from "./node-statuses";

const at = 1_000;
const started = foldEvents(emptyRunState, [
  { seq: 1, at, type: "run.started", input: { text: "" }, flow: "" },
  { seq: 2, at, type: "node.started", id: 1, path: "", kind: "swarm", name: "Test", input: { text: "" } },
  {
    seq: 3,
    at,
    type: "node.started",
    id: 2,
    parent: 1,
    path: "review/ann",
    kind: "agent",
    name: "ann",
    input: { text: "" },
  },
  {
    seq: 4,
    at,
    type: "node.started",
    id: 3,
    parent: 2,
    path: "review/ann#llm-1",
    kind: "llm_call",
    name: "x",
    input: { text: "" },
  },
]);

describe("toNodeStatuses", () => {
  it("keeps what belongs on the canvas, by node key", () => {
    expect([...toNodeStatuses(started, new Map())]).toEqual([
      ["", { status: "RUNNING", simulated: false, runs: 1 }],
      ["review/ann", { status: "RUNNING", simulated: false, runs: 1 }],
    ]);
    expect(toNodeStatuses(null, new Map()).size).toBe(0);
  });

  it("counts how often a node ran, and a handoff its link", () => {
    const base = { at, input: { text: "" } };
    const run = foldEvents(started, [
      { ...base, seq: 5, type: "node.started", id: 4, parent: 1, path: "review/ann#2", kind: "agent", name: "ann" },
      {
        ...base,
        seq: 6,
        type: "node.started",
        id: 5,
        parent: 1,
        path: "/#handoff-1",
        kind: "handoff",
        name: "ann → ben",
      },
      {
        seq: 7,
        at,
        type: "node.finished",
        id: 5,
        status: "SUCCESS",
        output: { text: "" },
        usage: noUsage,
        metadata: { from: "ann", to: "ben" },
      },
    ]);
    const statuses = toNodeStatuses(run, new Map());
    expect(statuses.get("review/ann")?.runs).toBe(2);
    expect(statuses.get("ann//ben")?.runs).toBe(1);
  });

  it("stays the very same while only words arrive", () => {
    const before = toNodeStatuses(started, new Map());
    const spoken = foldEvents(started, [{ seq: 5, at, type: "text.appended", id: 3, text: "hello" }]);
    expect(toNodeStatuses(spoken, before)).toBe(before);
  });
});
