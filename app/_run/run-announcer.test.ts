import { describe, expect, it } from "vitest";
import { emptyRunState, foldEvents } from "@/lib/core/trace/model/fold-events";
import { describeNewestEnd } from "./run-announcer";

const at = 1_000;
const started = foldEvents(emptyRunState, [
  { seq: 1, at, type: "run.started", input: { text: "" }, flow: "" },
  { seq: 2, at, type: "node.started", id: 1, path: "/", kind: "swarm", name: "Test", input: { text: "" } },
  { seq: 3, at, type: "node.started", id: 2, parent: 1, path: "ann", kind: "agent", name: "ann", input: { text: "" } },
]);

describe("describeNewestEnd", () => {
  it("names the agent that ended last, then the run", () => {
    expect(describeNewestEnd(started)).toBe("");
    const usage = { input: 0, output: 0, cached: 0, reasoning: 0, calls: 0, cost: 0, estimated: false };
    const ended = foldEvents(started, [
      { seq: 5, at: 3_000, type: "node.finished", id: 2, status: "SUCCESS", output: { text: "" }, usage },
    ]);
    expect(describeNewestEnd(ended)).toBe("ann succeeded in 2 s");
    const over = foldEvents(ended, [
      { seq: 6, at: 4_000, type: "run.finished", status: "CANCELLED", output: { text: "" }, usage },
    ]);
    expect(describeNewestEnd(over)).toBe("Run cancelled in 3 s");
    expect(describeNewestEnd({ ...over, warnings: 2 })).toBe("Run cancelled in 3 s, with 2 warnings");
  });
});
