import { describe, expect, it } from "vitest";
import { noUsage } from "@/lib/core/run/events/usage";
import { Trace } from "@/lib/core/trace/model/trace";
import { describeNewestEnd } from "./run-announcer";

const at = 1_000;

function startedTrace(): Trace {
  const trace = new Trace();
  trace.setRun({ status: "RUNNING", startedAt: at });
  trace.start({ id: 1, at, path: "/", kind: "swarm", name: "Test" });
  trace.start({ id: 2, parent: 1, at, path: "ann", kind: "agent", name: "ann" });
  trace.start({ id: 3, parent: 1, at, path: "ben", kind: "agent", name: "ben" });
  return trace;
}

describe("describeNewestEnd", () => {
  it("names the agent that ended last, then the run", () => {
    const trace = startedTrace();
    expect(describeNewestEnd(trace)).toBe("");
    trace.end(1, { at: 3_000, status: "SUCCESS", usage: noUsage });
    expect(describeNewestEnd(trace)).toBe("ann succeeded in 2 s");
    trace.end(2, { at: 3_400, status: "FAILED", usage: noUsage });
    expect(describeNewestEnd(trace)).toBe("ben failed in 2 s");
    trace.setRun({ status: "CANCELLED", endedAt: 4_000 });
    expect(describeNewestEnd(trace)).toBe("Run cancelled in 3 s");
    trace.setRun({ status: "FAILED", error: { code: "interrupted", message: "The server stopped." } });
    expect(describeNewestEnd(trace)).toBe("Run interrupted in 3 s");
  });

  it("counts the warnings of the run", () => {
    const trace = startedTrace();
    trace.addWarning(1, { code: "answer-cut", message: "Cut." });
    trace.addWarning(2, { code: "answer-cut", message: "Cut." });
    trace.setRun({ status: "SUCCESS", endedAt: 4_000 });
    expect(describeNewestEnd(trace)).toBe("Run succeeded in 3 s, with 2 warnings");
  });

  it("leaves the time out for a run that never started", () => {
    const trace = new Trace();
    trace.setRun({ status: "CANCELLED", endedAt: 4_000 });
    expect(describeNewestEnd(trace)).toBe("Run cancelled");
  });
});
