import { describe, expect, it } from "vitest";
import { emptyRunState, foldEvents } from "@/lib/core/trace/fold";
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
      ["", { status: "RUNNING", simulated: false }],
      ["review/ann", { status: "RUNNING", simulated: false }],
    ]);
    expect(toNodeStatuses(null, new Map()).size).toBe(0);
  });

  it("stays the very same while only words arrive", () => {
    const before = toNodeStatuses(started, new Map());
    const spoken = foldEvents(started, [{ seq: 5, at, type: "text.appended", id: 3, text: "hello" }]);
    expect(toNodeStatuses(spoken, before)).toBe(before);
  });
});
