import { expect, test } from "vitest";
import { sampleTrace } from "../testing/trace.samples";
import { findNotReached, findRetryStart, toRunProgress } from "./run-progress";

const createTrace = () =>
  sampleTrace([
    { start: 0, end: 90, status: "FAILED" },
    { start: 0, end: 10, name: "planner" },
    { start: 10, end: 20, name: "critic" },
    { start: 20, end: 90, name: "critic", path: "critic", status: "FAILED" },
  ]);

test("a failed run keeps the agents that succeeded, and did not reach those without a step", () => {
  const trace = createTrace();
  trace.setRun({ status: "FAILED", plan: ["planner", "critic", "writer", "editor"] });
  expect(toRunProgress(trace)).toEqual({ finished: ["planner"], notReached: ["writer", "editor"] });
  expect(findNotReached(trace)).toEqual(["writer", "editor"]);
});

test.each(["RUNNING", "SUCCESS"] as const)("of a run that is %s nothing counts as not reached", (status) => {
  const trace = createTrace();
  trace.setRun({ status, plan: ["planner", "writer"] });
  expect(toRunProgress(trace).notReached).toEqual([]);
  expect(findNotReached(trace)).toEqual([]);
});

test("without a plan nothing is known to be missing", () => {
  const trace = createTrace();
  trace.setRun({ status: "FAILED" });
  expect(toRunProgress(trace).notReached).toEqual([]);
});

test("a retry begins at the step that failed, else at the first agent without an answer", () => {
  const failed = createTrace();
  failed.setRun({ status: "FAILED", error: { code: "server", message: "It is on fire." } });
  expect(findRetryStart(failed)).toBe("critic");
  const stop = { status: "CANCELLED", plan: ["planner", "writer"] } as const;
  const cancelled = sampleTrace([
    { start: 0, end: 90, status: "CANCELLED" },
    { start: 0, end: 10, name: "planner" },
    { start: 10, end: 90, name: "writer", status: "CANCELLED" },
  ]);
  cancelled.setRun(stop);
  expect(findRetryStart(cancelled)).toBe("writer");
  const between = sampleTrace([
    { start: 0, end: 90, status: "CANCELLED" },
    { start: 0, end: 10, name: "planner" },
  ]);
  between.setRun(stop);
  expect(findRetryStart(between)).toBe("writer");
  between.setRun({ status: "CANCELLED", plan: [] });
  expect(findRetryStart(between)).toBeNull();
});
